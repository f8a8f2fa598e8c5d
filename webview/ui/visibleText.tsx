import type { ComponentChild } from "preact";
import { t } from "../l10n.ts";

/**
 * Text in which characters that draw nothing, or turn the direction around, are shown as framed code points. The
 * character itself stays in the text, isolated, so that what is copied is the original.
 */
export function VisibleText({ text }: { text: string }) {
  if (text.search(INVISIBLE) < 0) return <>{text}</>;
  const parts: ComponentChild[] = [];
  let from = 0;
  for (const match of text.matchAll(new RegExp(INVISIBLE, "gu"))) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    parts.push(<Chip char={match[0]} />);
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return <>{parts}</>;
}

/** Format, control (tab and line feed are seen), private, unassigned and blank characters, and spaces that are none. */
const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?![\t\n])\p{Cc}|(?! )\p{Zs}/u;

function Chip({ char }: { char: string }) {
  const code = `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return (
    <span class="chip" role="img" aria-label={t("invisible", code)} data-code={code}>
      <span class="chip-char">{char}</span>
    </span>
  );
}
