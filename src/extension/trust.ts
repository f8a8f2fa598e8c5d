import * as vscode from "vscode";
import { MusterError } from "../base/errors.ts";

/** Throws `not_ready` where the person has not trusted the workspace: no agent starts there. */
export function requireTrust(): void {
  if (!vscode.workspace.isTrusted)
    throw new MusterError("not_ready", "No agent starts before this workspace is trusted.");
}
