import { useRef } from "preact/hooks";
import { byteCount } from "../format.ts";
import { t } from "../l10n.ts";
import { type Model, useModel } from "../model.ts";
import { type DraftImage, MOST_IMAGES, sizeOf } from "../state/draftImages.ts";
import { draftKey } from "../state/sentMessages.ts";
import { giveBackDraft, type ReadingImages, readingFor, setDraftImages, type ViewState } from "../state/viewState.ts";
import { Icon, IconButton } from "../ui/icon.tsx";

/** The images of a draft: what there is, and how more come. */
export interface DraftImages {
  images: readonly DraftImage[];
  add: (files: Iterable<File>) => void;
  /** Until those that came are read, in the order in which they came: whether all of them are in this draft; null: none is. */
  reading: () => Promise<boolean> | null;
  remove: (index: number) => void;
}

/** The images of the draft that `key` names. Why one did not come is among the errors of drafts. */
export function useDraftImages(key: string): DraftImages {
  const model = useModel();
  const { view, sentMessages, announcer } = model;
  const read = async (given: readonly File[], to: ReadingImages) => {
    const { team } = to;
    let taken = 0;
    const { draftImage } = await import("../state/draftImage.ts");
    for (const file of given) {
      const image = await draftImage(file);
      const { key } = to; // by now
      const now = view.images.peek()[key] ?? [];
      if (image && team !== view.team.peek()) {
        giveBackDraft(view, team, key, { text: "", images: [image] });
        continue;
      }
      const full = now.length >= MOST_IMAGES;
      if (image && !full) {
        setDraftImages(view, key, [...now, image]);
        announcer.say(t("imageAdded", image.name));
        taken += 1;
        continue;
      }
      const why = full ? t("tooManyImages", MOST_IMAGES) : t("noImage", file.name);
      if (team === view.team.peek()) sentMessages.tell(key, why);
      announcer.say(why);
    }
    return taken === given.length && team === view.team.peek();
  };
  const add = (files: Iterable<File>) => {
    sentMessages.tell(key, null);
    const given = [...files]; // before a clipboard or a field forgets them
    const before = readAll(view, key);
    const to: ReadingImages = { team: view.team.peek(), key, whole: Promise.resolve(true) };
    to.whole = (async () => {
      const whole = await before;
      return (await read(given, to)) && whole !== false;
    })().finally(() => endReading(model, to));
    view.reading.value = [...view.reading.peek(), to];
  };
  const images = view.images.value[key] ?? [];
  const remove = (index: number) => {
    const rest = images.filter((_, at) => at !== index);
    setDraftImages(view, key, rest);
    sentMessages.tell(key, null);
  };
  return { images, add, reading: () => readAll(view, key), remove };
}

/** Where none came for a member that has left, its draft may be gone with that: then the one on show now says why. */
function endReading({ view, sentMessages, left, member }: Model, done: ReadingImages): void {
  const before = left.shown.peek();
  view.reading.value = view.reading.peek().filter((other) => other !== done);
  const now = member.peek();
  const why = sentMessages.errors.peek()[done.key];
  if (!before || !now || left.shown.peek() || done.key !== draftKey(before.name) || why === undefined) return;
  sentMessages.tell(done.key, null);
  sentMessages.tell(draftKey(now.name), why);
}

/** Until everything is read that now is for a draft; null: nothing is. */
function readAll(view: ViewState, key: string): Promise<boolean> | null {
  const all = readingFor(view, key);
  return all.length === 0 ? null : Promise.all(all.map(({ whole }) => whole)).then((each) => each.every(Boolean));
}

/**
 * What is taken of a clipboard in the place of its text: its images, or without a text all files, to say of which kind
 * they are not. A text that is more than the names of the files is what was copied, and an image with it its picture.
 */
export function pastedFiles(data: DataTransfer | null): File[] {
  const files = [...(data?.files ?? [])];
  const names = files.map(({ name }) => name);
  const lines = (data?.getData("text/plain") ?? "").split(/[\r\n]+/).filter((line) => line.trim() !== "");
  if (!lines.every((line) => names.includes(line.split(/[\\/]/).at(-1) ?? ""))) return [];
  const images = files.filter(({ type }) => type.startsWith("image/"));
  return images.length > 0 || lines.length > 0 ? images : files;
}

/** Takes files that are dropped. A text is the browser's to drop: it comes where the pointer is, as one that is typed. */
export function fileDrop(add: DraftImages["add"]) {
  const take = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (event.type === "drop") add(event.dataTransfer.files);
  };
  return { onDragOver: take, onDrop: take };
}

/** Each image with its name and size, and a way to leave it out. */
export function ImageChips({ images, remove }: Pick<DraftImages, "images" | "remove">) {
  if (images.length === 0) return null;
  return (
    <ul class="cmp-images" aria-label={t("imagesOfDraft")}>
      {images.map((image, index) => (
        <li key={`${index} ${image.name}`} class="cmp-image" title={image.name}>
          <Icon name="file-media" />
          <span class="cmp-image-name">{image.name}</span>
          <span class="meta">{byteCount(sizeOf(image))}</span>
          <IconButton icon="close" label={t("leaveOutImage", image.name)} onClick={() => remove(index)} />
        </li>
      ))}
    </ul>
  );
}

/** Opens the person's files. */
export function AddImage({ add }: Pick<DraftImages, "add">) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        class="vh"
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          add([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
      <IconButton icon="file-media" label={t("addImage")} onClick={() => input.current?.click()} />
    </>
  );
}
