import { Icon } from "./icon.tsx";
import { VisibleText } from "./visibleText.tsx";

/** Why something did not work, as a line with its icon. It is not live: who shows it says it (`Announcer`). */
export function ErrorLine({ text }: { text: string }) {
  return (
    <p class="error-line">
      <Icon name="error" />
      <span>
        <VisibleText text={text} />
      </span>
    </p>
  );
}

/** What to mind before a decision, as a line with its icon. */
export function WarningLine({ text }: { text: string }) {
  return (
    <p class="warning-line">
      <Icon name="warning" />
      <span>
        <VisibleText text={text} />
      </span>
    </p>
  );
}
