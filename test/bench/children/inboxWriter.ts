import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";

/**
 * A foreign process that does nothing but write one inbox file: for each line on standard input it appends that text as
 * an entry (temporary file, rename) and prints the time at which the rename returned, in ms since the epoch.
 */
const file = process.argv[2] ?? "";

for await (const text of createInterface({ input: process.stdin })) {
  const entries: unknown[] = JSON.parse(await readFile(file, "utf8"));
  entries.push({
    from: "neighbour",
    text,
    timestamp: new Date().toISOString(),
    msgV: 1,
    msg_id: randomUUID(),
    type: "message",
    read: false,
  });
  await writeFile(`${file}.neighbour`, JSON.stringify(entries, null, 2));
  await rename(`${file}.neighbour`, file);
  process.stdout.write(`${performance.timeOrigin + performance.now()}\n`);
}
