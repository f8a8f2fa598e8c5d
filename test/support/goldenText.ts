import { textOf, transcriptRecordSchema } from "../../src/protocol/transcript.ts";
import type { DemoRun } from "./demoRun.ts";

/** A run as texts that are the same in every run: one for each member, one for the files. */
export function goldenTexts(run: Pick<DemoRun, "transcripts" | "files" | "project" | "root">): Map<string, string> {
  const mask = masker(run);
  const texts = new Map<string, string>();
  for (const [member, lines] of run.transcripts) texts.set(`${member}.txt`, mask(transcriptText(lines)));
  texts.set("files.txt", [...run.files].map(([file, text]) => `=== ${file}\n${text}`).join("\n"));
  return texts;
}

/** What a member was told, said and did, in order; results stand in the order of the calls that they answer. */
function transcriptText(lines: readonly string[]): string {
  const out: string[] = [];
  let calls: string[] = [];
  const results = new Map<string, string>();
  const flush = () => {
    for (const id of calls) out.push(results.get(id) ?? `  !! ${id} has no result`);
    calls = [];
    results.clear();
  };
  for (const line of lines) {
    const record = transcriptRecordSchema.parse(JSON.parse(line));
    if (record.kind !== "tool_start" && record.kind !== "tool_result") flush();
    switch (record.kind) {
      case "input":
        out.push(`>> ${record.origin}\n${indent(textOf(record.content))}`);
        break;
      case "reply":
        out.push(`<< ${record.stopReason}${record.incomplete ? " (incomplete)" : ""}`);
        for (const block of record.content) {
          if (block.type === "text") out.push(indent(block.text));
          if (block.type === "tool_use") {
            calls.push(block.id);
            out.push(`  * ${block.name} ${JSON.stringify(block.input)}`);
          }
        }
        break;
      case "tool_result": {
        const { tool_use_id: id, is_error: failed, content } = record.result;
        results.set(id, `  ${failed ? "!!" : "="} ${indent(textOf(content)).trimStart()}`);
        break;
      }
      case "run_end":
        out.push(`-- ${record.outcome}${record.reason ? `: ${record.reason}` : ""}`);
        break;
      case "session":
      case "summary":
      case "tool_start":
        break;
    }
  }
  flush();
  return `${out.join("\n")}\n`;
}

function indent(text: string): string {
  return text.replace(/^/gm, "  ").replace(/[ \t]+$/gm, "");
}

/** Replaces paths, ids, times and durations, which differ from run to run. */
function masker({ project, root }: Pick<DemoRun, "project" | "root">): (text: string) => string {
  return (text) =>
    text
      .replaceAll(project, "PROJECT")
      .replaceAll(root, "ROOT")
      .replace(/ROOT\/plans\/[\w-]+\.md/g, "ROOT/plans/PLAN.md")
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, "UUID")
      .replace(/\b(plan_approval|shutdown|perm)-\d{13}/g, "$1-MS")
      .replace(/\bperm-MS-[0-9a-z]{7}/g, "perm-MS-ID")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "TIME")
      .replace(/(duration_ms )[\d.]+|\([\d.]+ ?ms\)/g, (_all, name?: string) => `${name ?? ""}DURATION`)
      // what Node tells of failing tests below their list differs between its versions
      .replace(/(\n *✖ failing tests:\n)[\s\S]*?(?=\n(?:<<|>>|--| {2}[=*]| {2}!!) )/g, "$1  DETAILS");
}
