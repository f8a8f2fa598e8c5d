/** Key → the sentence in English and in Simplified Chinese. `{0}`, `{1}` are places. A key with `.one` and `.other` is for `count`. */
export type Words = Readonly<Record<string, readonly [english: string, chinese: string]>>;
