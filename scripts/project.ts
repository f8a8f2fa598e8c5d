import path from "node:path";

/** Absolute path of the project's folder. */
export const projectRoot = path.resolve(import.meta.dirname, "..");
