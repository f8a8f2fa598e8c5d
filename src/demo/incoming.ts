import { type MessageBody, parseBody } from "../protocol/messageBody.ts";
import type { ApiMessage, ContentBlock } from "./messagesApi.ts";
import { blocksOf, textsOf } from "./messagesApi.ts";

/** The result of one call of the newest reply. `name`: the tool, or "" where the call is not in the request. */
export interface ToolResult {
  id: string;
  name: string;
  text: string;
  isError: boolean;
}

/** One entry that the team layer put before the model in its `teammate-message` wrapper. */
export interface Mail {
  from: string;
  text: string;
  summary: string | undefined;
  color: string | undefined;
  verified: boolean;
  content: MessageBody;
}

/** What is new since the newest reply. */
export interface Incoming {
  /** In the order of the calls of the reply. */
  results: readonly ToolResult[];
  mail: readonly Mail[];
  /** Text that is not in a wrapper, one item a block: words of the person, a claimed task, a digest. */
  notes: readonly string[];
  /** Mail and notes as they were sent. */
  text: string;
  /** Text that a runtime puts into every request about the state of things: blocks that are one element, `<a-b>…</a-b>`. */
  state: string;
}

/** Reads the messages behind the newest reply (all of them, where there is none yet). */
export function readIncoming(messages: readonly ApiMessage[]): Incoming {
  const last = messages.findLastIndex((message) => message.role === "assistant");
  const blocks = messages.slice(last + 1).flatMap((message) => blocksOf(message.content));
  const calls = last < 0 ? [] : blocksOf(messages[last]?.content ?? []).filter((block) => block.type === "tool_use");
  const all = textsOf(blocks);
  const texts = all.filter((text) => !isStateText(text));
  return {
    results: resultsOf(blocks, calls),
    mail: texts.flatMap(mailOf),
    notes: texts.map(withoutMail).filter((note) => note !== ""),
    text: texts.join("\n"),
    state: all.filter(isStateText).join("\n"),
  };
}

/** Whether a text is one element that is no mail: it differs from request to request and is not kept. */
export function isStateText(text: string): boolean {
  return /^\s*<(?!teammate-message)([a-z][a-z-]*)>[\s\S]*<\/\1>\s*$/.test(text);
}

const WRAPPED = /<teammate-message\b([^>]*)>\n?([\s\S]*?)\n?<\/teammate-message>/g;

function resultsOf(blocks: readonly ContentBlock[], calls: readonly ContentBlock[]): ToolResult[] {
  const order = calls.map((call) => call["id"]);
  return blocks
    .filter((block) => block.type === "tool_result")
    .sort((a, b) => order.indexOf(a["tool_use_id"]) - order.indexOf(b["tool_use_id"]))
    .map((block) => ({
      id: String(block["tool_use_id"]),
      name: nameOf(calls.find((call) => call["id"] === block["tool_use_id"])),
      text: textsOf((block["content"] as string | ContentBlock[] | undefined) ?? "").join("\n"),
      isError: block["is_error"] === true,
    }));
}

function nameOf(call: ContentBlock | undefined): string {
  return typeof call?.["name"] === "string" ? call["name"] : "";
}

function mailOf(text: string): Mail[] {
  return [...text.matchAll(WRAPPED)].map(([, attributes = "", inner = ""]) => {
    const attribute = (name: string) => {
      const value = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
      return value === undefined ? undefined : unescapeAttribute(value);
    };
    return {
      from: attribute("teammate_id") ?? "",
      text: inner,
      summary: attribute("summary"),
      color: attribute("color"),
      verified: attribute("verified") !== "false",
      content: parseBody(inner),
    };
  });
}

function withoutMail(text: string): string {
  return text.replace(WRAPPED, "").trim();
}

function unescapeAttribute(value: string): string {
  return value.replaceAll("&quot;", '"').replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}
