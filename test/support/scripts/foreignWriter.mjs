// Another program that knows nothing of ours but the layout of the files: it takes the directory lock, changes one file
// in place as the reference does, and prints when (ms). Usage: node foreignWriter.mjs FILE.json CODE, where CODE is the
// body of a function of the parsed `content`.
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";

const [file = "", code = ""] = process.argv.slice(2);
const lock = `${file}.lock`;
for (let tries = 0; ; tries += 1) {
  try {
    mkdirSync(lock);
    break;
  } catch (error) {
    if (error.code !== "EEXIST" || tries > 200) throw error;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
try {
  const content = JSON.parse(readFileSync(file, "utf8"));
  new Function("content", code)(content);
  writeFileSync(file, JSON.stringify(content, null, 2));
  console.log(Date.now());
} finally {
  rmdirSync(lock);
}
