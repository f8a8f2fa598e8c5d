import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from "node:fs";
import { childInput, say } from "./childInput.ts";

/**
 * A foreign program that writes a file in place, without a lock, until it is killed: `truncate` as 2.1.41 does, `over` as
 * 2.1.332 does (writes over the old bytes, then cuts the rest off). Ends at SIGTERM, after a whole write. Each text is of
 * one generation, in one of two sizes.
 */
const { path, how, texts, pauseMs } = childInput<{ path: string; how: string; texts: string[]; pauseMs: number }>();
process.on("SIGTERM", () => process.exit(0)); // signals come between writes, which are synchronous
for (let generation = 1; ; generation += 1) {
  const text = (texts[generation % texts.length] ?? "").replaceAll("GENERATION", String(generation).padStart(9, "0"));
  if (how === "truncate") writeFileSync(path, text);
  else writeOver(text);
  if (generation === 1) say({ ready: true });
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}

function writeOver(text: string): void {
  const file = openSync(path, "r+");
  writeSync(file, text, 0);
  ftruncateSync(file, Buffer.byteLength(text));
  closeSync(file);
}
