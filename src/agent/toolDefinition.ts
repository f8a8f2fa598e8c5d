import * as z from "zod";
import type { Tool, ToolDefinition } from "./types.ts";

/** What the API is told of a tool. The JSON Schema describes what the model writes, before defaults apply. */
export function toolDefinition(tool: Tool): ToolDefinition {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.inputSchema, { io: "input" });
  return { name: tool.name, description: tool.description, input_schema: inputSchema };
}
