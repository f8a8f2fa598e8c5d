interface ButtonProps {
  label: string;
  hint?: string;
  look: "primary" | "plain" | "ghost";
  /** Does nothing, and the hover text says why. */
  held?: boolean;
  /** What a shortcut of the request looks for. */
  choice?: "primary" | "refuse" | "edit";
  onClick: () => void;
}

/** A button of a request. */
export function ChoiceButton({ label, hint, look, held = false, choice, onClick }: ButtonProps) {
  return (
    <button
      type="button"
      class={`btn btn-${look}`}
      data-choice={choice}
      aria-disabled={held}
      title={hint}
      onClick={() => {
        if (!held) onClick();
      }}
    >
      {label}
    </button>
  );
}
