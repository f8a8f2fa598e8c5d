import type { Tool } from "../types.ts";
import { editFileTool } from "./editFile.ts";
import { createFileAccess } from "./fileAccess.ts";
import { globFilesTool } from "./globFiles.ts";
import { readFileTool } from "./readFile.ts";
import { runCommandTool } from "./runCommand.ts";
import { searchTextTool } from "./searchText.ts";
import type { ToolEnvironment } from "./toolEnvironment.ts";
import { writeFileTool } from "./writeFile.ts";

/**
 * The tools on files and commands of one member: Read, Write, Edit, Glob, Grep, Bash. What the member has read is kept
 * in them, so each member gets its own.
 */
export function createFileTools(environment: ToolEnvironment): Tool[] {
  const files = createFileAccess(environment);
  return [
    readFileTool(files),
    writeFileTool(files),
    editFileTool(files),
    globFilesTool(environment),
    searchTextTool(environment),
    runCommandTool(environment),
  ];
}
