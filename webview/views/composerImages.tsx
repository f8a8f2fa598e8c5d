import { useRef } from "preact/hooks";
import { byteCount } from "../format.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { type DraftImage, MOST_IMAGES, sizeOf } from "../state/draftImages.ts";
import { giveBackDraft, type ReadingImages, setDraftImages } from "../state/viewState.ts";
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
  const { view, sentMessages, announcer } = useModel();
  const reading = useRef<Promise<boolean> | null>(null);
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
    const to = { team: view.team.peek(), key };
    view.reading.add(to);
    const before = reading.current;
    const done = (async () => {
      const whole = await before;
      return (await read(given, to)) && whole !== false;
    })().finally(() => {
      view.reading.delete(to);
      if (reading.current === done) reading.current = null;
    });
    reading.current = done;
  };
  const images = view.images.value[key] ?? [];
  const remove = (index: number) => {
    const rest = images.filter((_, at) => at !== index);
    setDraftImages(view, key, rest);
    sentMessages.tell(key, null);
  };
  return { images, add, reading: () => reading.current, remove };
}

/** The images of a clipboard or of what was dropped. */
export function imageFiles(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
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
