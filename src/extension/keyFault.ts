/** Why a text cannot be a key, one sentence, or null. Keys of other servers that speak the API have any form. */
export function keyFault(text: string): string | null {
  const key = text.trim();
  if (key === "") return "Paste the key.";
  return /^[\x21-\x7e]+$/.test(key) ? null : "A key holds no blanks and only plain characters: copy it again.";
}
