import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { modifierName } from "../format.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { TextField } from "../ui/fields.tsx";
import { IconButton } from "../ui/icon.tsx";

/** Runs `onFind` at the platform's key for finding, wherever in the view the focus is. */
export function useFindKey(onFind: () => void): void {
  const run = useRef(onFind);
  run.current = onFind;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const modified = modifierName() === "Cmd" ? event.metaKey : event.ctrlKey;
      if (event.key.toLowerCase() !== "f" || !modified || event.altKey || event.shiftKey) return;
      event.preventDefault();
      run.current();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** Opens the field that finds in the conversation, as the key that it names does. */
export function FindButton() {
  const { find } = useModel();
  return <IconButton icon="search" label={t("findHint", modifierName())} class="head-find" onClick={find.open} />;
}

/** What is looked for in the conversation, which match is chosen of how many, and the ways to the others. */
export function FindBar() {
  const { find, announcer } = useModel();
  const field = useRef<HTMLElement>(null);
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    before.current = document.activeElement;
  }, []);
  const asked = find.asked.value;
  useLayoutEffect(() => {
    field.current?.focus();
    if (field.current instanceof HTMLInputElement) field.current.select();
  }, [asked]);
  const close = () => {
    find.close();
    const back = before.current;
    const tab = document.querySelector<HTMLElement>("[role=tab][aria-selected=true]");
    (back instanceof HTMLElement && back.isConnected && back !== document.body ? back : tab)?.focus();
  };
  const text = find.text.value;
  const found = find.found.value;
  const told = text.trim() === "" || !found ? "" : found.total === 0 ? t("findNone") : place(find.index.value, found);
  useEffect(() => {
    if (told !== "") announcer.say(told);
  }, [told, announcer]);
  return (
    <search
      class="find-bar"
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
        else if (event.key === "Enter" && event.target instanceof HTMLInputElement) find.step(event.shiftKey ? -1 : 1);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <TextField
        label={t("find")}
        placeholder={t("find")}
        icon="search"
        value={text}
        inputRef={field}
        onInput={find.setText}
      />
      <span class="meta find-count">{told}</span>
      <IconButton icon="arrow-up" label={t("findPrevious")} onClick={() => find.step(-1)} />
      <IconButton icon="arrow-down" label={t("findNext")} onClick={() => find.step(1)} />
      <IconButton icon="close" label={t("findClose")} onClick={close} />
    </search>
  );
}

function place(index: number, { total }: { total: number }): string {
  return t("findCount", index + 1, total);
}
