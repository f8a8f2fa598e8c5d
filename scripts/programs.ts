import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

/** Path of a program that is on PATH, or undefined. */
export function findProgram(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const endings = process.platform === "win32" ? (env["PATHEXT"] ?? ".EXE;.CMD").split(";") : [""];
  const folders = (env["PATH"] ?? "").split(path.delimiter).filter(Boolean);
  return folders.flatMap((folder) => endings.map((ending) => path.join(folder, name + ending))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // absent, or not for us
  }
}
