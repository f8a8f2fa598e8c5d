/**
 * The README for the page of the extension in VS Code. That page shows no picture and follows no link that has no
 * address, and the project has none: pictures are left out, and links to files become their names.
 */
export function packagedReadme(text: string): string {
  return text
    .replace(/^!\[[^\]]*\]\((?!https:)[^)]*\)\n+/gm, "")
    .replace(/\[([^\]]*)\]\((?!https:|#)([^)]*)\)/g, (_link, words: string, file: string) =>
      words === file ? file : `${words} (${file})`,
    );
}
