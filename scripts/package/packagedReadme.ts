/** What is said to who has a clone of the project begins with this heading and goes on to the end. */
const FOR_DEVELOPERS = "\n## From a clone, and developing it\n";

/**
 * The README for the page of the extension in VS Code, without what is about developing it. That page shows no picture and
 * follows no link that has no address, and the project has none: pictures are left out, and links to files become their
 * names.
 */
export function packagedReadme(text: string): string {
  const [use = ""] = text.split(FOR_DEVELOPERS);
  return use
    .replace(/^!\[[^\]]*\]\((?!https:)[^)]*\)\n+/gm, "")
    .replace(/\[([^\]]*)\]\((?!https:|#)([^)]*)\)/g, (_link, words: string, file: string) =>
      words === file ? file : `${words} (${file})`,
    );
}
