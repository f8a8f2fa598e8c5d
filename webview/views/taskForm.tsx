import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { TaskRow } from "../../src/protocol/panel.ts";
import { t } from "../l10n.ts";
import { type Model, useModel } from "../model.ts";
import { forgetDrafts, setFieldText, type ViewState } from "../state/viewState.ts";
import { TextArea } from "../ui/fields.tsx";
import { hasFocusIn } from "../ui/keepFocus.ts";

interface FormProps {
  /** A task's number, or `new`. */
  row: string;
  /** Names the drafts of the fields. */
  name: string;
  subject: string;
  /** Null: it is too long to be changed here. */
  description: string | null;
  action: string;
  /** What was submitted is not answered yet, and stays as it is: it is forgotten with the answer. */
  waits?: boolean;
  /** Stands beside the button. */
  note?: string;
  onSubmit: (subject: string, description: string) => void;
  onClose: () => void;
}

/**
 * A task is written down, or another text is given to it. What is typed survives hiding; Esc closes and keeps it, Cancel
 * does not.
 */
function TaskForm({ row, name, subject, description, action, waits = false, note, onSubmit, onClose }: FormProps) {
  const { view } = useModel();
  const form = useRef<HTMLFormElement>(null);
  const keys = { subject: `${name}:subject`, description: `${name}:description` };
  const typed = {
    subject: view.drafts.value[keys.subject] ?? subject,
    description: view.drafts.value[keys.description] ?? description ?? "",
  };
  useOpenedFocus(row, form);
  const held = waits || typed.subject.trim() === "";
  const submit = () => {
    if (!held) onSubmit(typed.subject.trim(), typed.description.trim());
  };
  return (
    <form
      ref={form}
      class="task-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.isComposing || event.keyCode === 229) return;
        const inSubject = event.target === form.current?.querySelector("textarea");
        if (event.key === "Enter" && (inSubject || event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          submit();
        } else if (event.key === "Escape") onClose();
        else return;
        event.stopPropagation();
      }}
    >
      <TextArea
        label={t("taskSubject")}
        placeholder={t("taskSubject")}
        value={typed.subject}
        rows={1}
        readOnly={waits}
        onInput={(text) => typeOver(view, keys.subject, subject, text.replaceAll("\n", " "))}
      />
      {description === null ? (
        <p class="quiet">{t("taskTooLong")}</p>
      ) : (
        <TextArea
          label={t("taskDescription")}
          placeholder={t("taskDescription")}
          value={typed.description}
          rows={3}
          readOnly={waits}
          onInput={(text) => typeOver(view, keys.description, description, text)}
        />
      )}
      <div class="task-actions">
        <button type="submit" class="btn btn-plain" aria-disabled={held}>
          {action}
        </button>
        <button
          type="button"
          class="btn btn-ghost"
          onClick={() => {
            forgetTyped(view, name);
            onClose();
          }}
        >
          {t("cancel")}
        </button>
        {note !== undefined && <span class="quiet">{note}</span>}
      </div>
    </form>
  );
}

/**
 * The form gets the focus when the person has opened it, and by nothing else: it may be drawn anew at any time. One that
 * had to be waited for takes the focus from nowhere but its row.
 */
function useOpenedFocus(row: string, form: RefObject<HTMLFormElement | null>): void {
  const { focus } = useModel();
  const target = focus.value;
  useLayoutEffect(() => {
    if (target?.kind !== "taskForm" || target.row !== row) return;
    focus.value = null;
    const at = document.activeElement;
    const isHere = at === document.body || hasFocusIn(form.current?.closest("[data-task]"));
    if (!target.late || (isHere && document.hasFocus())) form.current?.querySelector<HTMLElement>("textarea")?.focus();
  }, [target, row, focus, form]);
}

/** The person wants to write down a task. */
export function openNewTask({ view, focus }: Model): void {
  view.expansion.set(NEW_TASK, true);
  focus.value = { kind: "taskForm", row: "new", late: false };
}

/** The person wants to give another text to a task. */
export function openEditTask({ view, focus }: Model, { id, description }: TaskRow): void {
  view.expansion.set(`task:${id}`, true);
  view.expansion.set(editKey(id), true);
  focus.value = { kind: "taskForm", row: id, late: description === null };
}

/** Under what it is kept that the form for a new task is open. */
export const NEW_TASK = "new:task";

/** Under what it is kept that the form of a task is open. */
export function editKey(task: string): string {
  return `edit:${task}`;
}

/** Keeps what is typed, and the text over which it is: that may be another one by the time it is saved. */
function typeOver(view: ViewState, key: string, before: string, text: string): void {
  const over = view.drafts.peek()[`${key}:over`] ?? `=${before}`;
  setFieldText(view, `${key}:over`, over);
  setFieldText(view, key, text);
}

function forgetTyped(view: ViewState, name: string, team: string | null = view.team.peek()): void {
  const keys = [`${name}:subject`, `${name}:description`];
  forgetDrafts(view, team, [...keys, ...keys.map((key) => `${key}:over`)]);
}

/** What the person made of a text that is `now` there: whether they changed it, and whether somebody else did, too. */
function changesOf({ drafts }: ViewState, key: string, now: string): { own: boolean; both: boolean } {
  const typed = (drafts.value[key] ?? now).trim();
  const over = (drafts.value[`${key}:over`]?.slice(1) ?? now).trim();
  const own = typed !== over && typed !== now.trim();
  return { own, both: own && over !== now.trim() };
}

/** A new task. `onClose` is called when it was created, too. */
export function NewTask({ onClose }: { onClose: () => void }) {
  const { view, work, announcer } = useModel();
  const create = (subject: string, description: string) => {
    if (work.waiting.peek().has("new")) return; // Enter twice in one moment, before the form is drawn again
    work.ask(
      "new",
      (intent) => ({ type: "createTask", intent, subject, description }),
      (team) => {
        forgetTyped(view, "task:new", team);
        announcer.say(t("taskCreated", subject));
        if (team === view.team.peek()) onClose();
      },
    );
  };
  return (
    <div class="task-new">
      <TaskForm
        row="new"
        name="task:new"
        subject=""
        description=""
        action={t("createTask")}
        waits={work.waiting.value.has("new")}
        onSubmit={create}
        onClose={onClose}
      />
      <TaskError row="new" />
    </div>
  );
}

interface EditProps {
  task: TaskRow;
  /** Its own, which is there by now. */
  description: string;
  onClose: () => void;
}

/** Other texts for a task; only what the person changed is sent, and they are told what was changed meanwhile. */
export function EditTask({ task, description: before, onClose }: EditProps) {
  const { view, work, announcer } = useModel();
  const name = `task:${task.id}`;
  const changes = {
    subject: changesOf(view, `${name}:subject`, task.subject),
    description: isShortened(before) ? null : changesOf(view, `${name}:description`, before),
  };
  const isReplaced = changes.subject.both || changes.description?.both === true;
  useEffect(() => {
    if (isReplaced) announcer.say(t("taskChanged"));
  }, [isReplaced, announcer]);
  const close = (team: string | null) => {
    forgetTyped(view, name, team);
    if (team === view.team.peek()) onClose();
  };
  const save = (subject: string, description: string) => {
    if (work.waiting.peek().has(task.id)) return; // Enter twice in one moment, as with a new task
    const change = {
      ...(changes.subject.own && { subject }),
      ...(changes.description?.own && { description }),
    };
    if (Object.keys(change).length === 0) return close(view.team.peek());
    work.ask(task.id, (intent) => ({ type: "editTask", intent, task: task.id, ...change }), close);
  };
  return (
    <TaskForm
      row={task.id}
      name={name}
      subject={task.subject}
      description={isShortened(before) ? null : before}
      action={t("saveTask")}
      waits={work.waiting.value.has(task.id)}
      {...(isReplaced && { note: t("taskChanged") })}
      onSubmit={save}
      onClose={onClose}
    />
  );
}

/** Why something was not done with a task. */
export function TaskError({ row }: { row: string }) {
  const { work } = useModel();
  const error = work.errors.value.get(row);
  return error === undefined ? null : <p class="task-error">{error}</p>;
}

/** The host sends 2,000 characters of a description; what is longer must not be written back. */
function isShortened(description: string): boolean {
  return description.length > 2_000;
}
