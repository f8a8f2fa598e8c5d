import type * as z from "zod";
import type { Tool, ToolContext, ToolOutput } from "../../agent/types.ts";
import { isMusterError } from "../../base/errors.ts";

/** How a tool of the team is written down. */
export interface TeamToolSpec<S extends z.ZodType> {
  name: string;
  description: string;
  inputSchema: S;
  parallel?: boolean;
  repeatable?: boolean;
  run(input: z.output<S>, context: ToolContext): Promise<ToolOutput | string>;
}

/** Makes a tool whose expected failures (MusterError) become results that the model reads. */
export function teamTool<S extends z.ZodType>(spec: TeamToolSpec<S>): Tool {
  return {
    name: spec.name,
    description: spec.description,
    inputSchema: spec.inputSchema,
    parallel: spec.parallel ?? false,
    repeatable: spec.repeatable ?? false,
    async run(input, context) {
      try {
        const output = await spec.run(input as z.output<S>, context);
        return typeof output === "string" ? { content: output } : output;
      } catch (error) {
        if (!isMusterError(error)) throw error;
        return { content: error.message, isError: true };
      }
    },
  };
}

/** A result of JSON, as the reference's message tools give it. */
export function jsonOutput(value: Record<string, unknown>): ToolOutput {
  return { content: JSON.stringify(value) };
}
