/** Why a teammate is asked to stop, where no model says it. They stand in its inbox. */
export const STOP_REASONS = {
  person: "The person asks for it.",
  over: "The run is over.",
} as const;
