import module from "node:module";
import path from "node:path";

/**
 * Every teammate in a terminal is a process that loads the same code: what V8 made of it stays beside it, which saves
 * each of them a third of its start. Where that folder cannot be written, nothing is kept.
 */
module.enableCompileCache?.(path.join(import.meta.dirname, "compiled"));
if (process.argv[2] === "teammate") (await import("./uncompiledSchemas.ts")).leaveSchemasUncompiled(); // before any is made
const { runProgram } = await import("./program.ts");
await runProgram();
