import type { ShownEntry } from "../../protocol/message.ts";

/**
 * The entries of a text that `wrapForModel` made, in order; what stands between two wrappers is left out. Null where
 * the text holds no wrapper.
 */
export function unwrapEntries(text: string): ShownEntry[] | null {
  const entries = [...text.matchAll(WRAPPER)].map(([, attributes = "", body = ""]) => entryOf(attributes, body));
  return entries.length === 0 ? null : entries;
}

const WRAPPER = /<teammate-message((?: [a-z_]+="[^"]*")*)>\n([\s\S]*?)\n<\/teammate-message>/g;

function entryOf(attributes: string, body: string): ShownEntry {
  const values = new Map(
    [...attributes.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]),
  );
  return {
    from: unescapeAttribute(values.get("teammate_id") ?? ""),
    text: unescapeTags(body),
    ...optional("color", values.get("color")),
    ...optional("summary", values.get("summary")),
    ...(values.get("verified") === "false" ? { verified: false } : {}),
  };
}

function optional<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [key]: unescapeAttribute(value) } as Record<K, string>);
}

function unescapeAttribute(value: string): string {
  return value.replaceAll("&quot;", '"').replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}

function unescapeTags(text: string): string {
  return text.replace(/&lt;(?=\s*\/?\s*teammate-message)/gi, "<");
}
