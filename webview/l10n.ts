import { AMOUNTS } from "./l10n/amounts.ts";
import { ANNOUNCEMENTS } from "./l10n/announcements.ts";
import { COMPOSER } from "./l10n/composer.ts";
import { CONVERSATION } from "./l10n/conversation.ts";
import { EMPTY } from "./l10n/empty.ts";
import { FINISHED } from "./l10n/finished.ts";
import { INBOXES } from "./l10n/inboxes.ts";
import { MEMBERS } from "./l10n/members.ts";
import { REQUESTS } from "./l10n/requests.ts";
import { TABS } from "./l10n/tabs.ts";
import { TASKS } from "./l10n/tasks.ts";
import type { Words } from "./l10n/words.ts";

/**
 * What the webview says; what only views say that are loaded later is loaded with them. `{0}`, `{1}` are put in by `t`.
 * Keys with `.one` and `.other` go through `count`.
 */
export const WORDS = {
  ...REQUESTS,
  ...ANNOUNCEMENTS,
  ...MEMBERS,
  ...TABS,
  ...TASKS,
  ...INBOXES,
  ...CONVERSATION,
  ...COMPOSER,
  ...EMPTY,
  ...FINISHED,
  ...AMOUNTS,
} as const;

type Counted<K> = K extends `${infer Base}.other` ? Base : never;

/** The language of VS Code's display is the document's; all forms of Chinese get the simplified one. */
const LANGUAGE = document.documentElement.lang.toLowerCase().startsWith("zh") ? 1 : 0;

/** The language of what is shown, for dates. */
export const LOCALE = LANGUAGE === 1 ? "zh-CN" : "en";

/** Several names in a sentence: `a, b and c`. */
export function listed(names: readonly string[]): string {
  return LANGUAGE === 1 ? names.join("、") : new Intl.ListFormat("en-GB").format(names);
}

/** How the sentences of a table are said. */
interface Sayer<K extends string> {
  /** The sentence of a key with its places filled in, in the display language. */
  readonly t: (key: K, ...values: (string | number)[]) => string;
  /** The sentence for a number of things: `{0}` is the number. Chinese has one form. */
  readonly count: (key: Counted<K>, n: number, ...values: (string | number)[]) => string;
}

/** Says the sentences of this table. */
export function sayer<K extends string>(words: Readonly<Record<K, Words[string]>>): Sayer<K> {
  const t = (key: K, ...values: (string | number)[]) =>
    words[key][LANGUAGE].replace(/\{(\d)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
  const count = (key: Counted<K>, n: number, ...values: (string | number)[]) => {
    const one = `${key}.one`;
    return t((n === 1 && one in words ? one : `${key}.other`) as K, n, ...values);
  };
  return { t, count };
}

export const { t, count } = sayer(WORDS);
