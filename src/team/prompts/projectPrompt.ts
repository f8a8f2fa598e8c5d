/** Facts of the place where a member works, and what the project and the person ask of agents there. */
export interface ProjectFacts {
  cwd: string;
  platform: string;
  /** Text of the project's `CLAUDE.md`, or null. */
  projectInstructions: string | null;
  /** Text of the person's own `CLAUDE.md`, or null. */
  personInstructions: string | null;
}

/** The part of the system prompt that depends on the project. */
export function projectPrompt(facts: ProjectFacts): string {
  return [
    `# Project\nFolder: ${facts.cwd}\nPlatform: ${facts.platform}`,
    ...section("Instructions of the person (CLAUDE.md)", facts.personInstructions),
    ...section("Instructions of the project (CLAUDE.md)", facts.projectInstructions),
  ].join("\n\n");
}

function section(title: string, text: string | null): string[] {
  return text?.trim() ? [`# ${title}\n${text.trim()}`] : [];
}
