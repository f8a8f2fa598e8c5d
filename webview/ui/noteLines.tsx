import { Icon } from "./icon.tsx";
import { VisibleText } from "./visibleText.tsx";

/** Why something did not work, as a line with its icon. `alert`: it is announced when it appears. */
export function ErrorLine({ text, alert = false }: { text: string; alert?: boolean }) {
  return (
    <p class="error-line" role={alert ? "alert" : undefined}>
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
