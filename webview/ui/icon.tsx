/** The codicons that are used. */
export type IconName =
  | "add"
  | "arrow-down"
  | "arrow-right"
  | "arrow-swap"
  | "arrow-up"
  | "bell-dot"
  | "check"
  | "check-all"
  | "checklist"
  | "chevron-down"
  | "chevron-right"
  | "chevron-up"
  | "circle"
  | "circle-large"
  | "circle-slash"
  | "circle-small-filled"
  | "clockface"
  | "close"
  | "comment"
  | "debug-continue"
  | "debug-pause"
  | "debug-stop"
  | "discard"
  | "edit"
  | "ellipsis"
  | "error"
  | "file"
  | "file-media"
  | "filter"
  | "folder"
  | "folder-opened"
  | "json"
  | "key"
  | "list-selection"
  | "lock"
  | "mail"
  | "mention"
  | "pass"
  | "question"
  | "record"
  | "reply"
  | "search"
  | "send"
  | "session-in-progress"
  | "stop-circle"
  | "terminal"
  | "tools"
  | "trash"
  | "warning"
  | "screen-full"
  | "workspace-untrusted"
  | "zoom-in"
  | "zoom-out";

interface IconProps {
  name: IconName;
  /** What it means, where nothing beside it says so. Without it the icon is hidden from screen readers. */
  label?: string | undefined;
  class?: string;
}

/** A codicon. */
export function Icon({ name, label, class: extra = "" }: IconProps) {
  const classes = `codicon codicon-${name} ${extra}`;
  if (label === undefined) return <i class={classes} aria-hidden="true" />;
  return <i class={classes} role="img" aria-label={label} title={label} />;
}

interface IconButtonProps {
  icon: IconName;
  label: string;
  onClick: (event: MouseEvent) => void;
  class?: string;
  /** Left out of the tab order, because a row's own keys reach it. */
  mouseOnly?: boolean;
  pressed?: boolean;
}

/** A button that is an icon, with its name as hover text. */
export function IconButton({ icon, label, onClick, class: extra = "", mouseOnly = false, pressed }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-btn ${extra}`}
      aria-label={label}
      aria-pressed={pressed}
      title={label}
      tabIndex={mouseOnly ? -1 : 0}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
