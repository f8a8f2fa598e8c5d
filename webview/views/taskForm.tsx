import { useLayoutEffect, useRef } from "preact/hooks";
import type { TaskRow } from "../../src/protocol/panel.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { setDraft } from "../state/viewState.ts";
import { TextArea } from "../ui/fields.tsx";

interface FormProps {
  /** Names the drafts of the fields. */
  name: string;
  subject: string;
  /** Null: it is too long to be changed here. */
  description: string | null;
  action: string;
  /** What was submitted is not answered yet. */
  waits?: boolean;
  onSubmit: (subject: string, description: string) => void;
  onClose: () => void;
}

/** A task is written down, or another text is given to it. What is typed survives hiding; Esc closes and keeps it. */
function TaskForm({ name, subject, description, action, waits = false, onSubmit, onClose }: FormProps) {
  const { view } = useModel();
  const form = useRef<HTMLFormElement>(null);
  const keys = { subject: `${name}:subject`, description: `${name}:description` };
  const typed = {
    subject: view.drafts.value[keys.subject] ?? subject,
    description: view.drafts.value[keys.description] ?? description ?? "",
  };
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>("textarea")?.focus(), []);
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
        onInput={(text) => setDraft(view, keys.subject, text.replaceAll("\n", " "))}
      />
      {description === null ? (
        <p class="quiet">{t("taskTooLong")}</p>
      ) : (
        <TextArea
          label={t("taskDescription")}
          placeholder={t("taskDescription")}
          value={typed.description}
          rows={3}
          onInput={(text) => setDraft(view, keys.description, text)}
        />
      )}
      <div class="task-actions">
        <button type="submit" class="btn btn-plain" aria-disabled={held}>
          {action}
        </button>
        <button type="button" class="btn btn-ghost" onClick={onClose}>
          {t("cancel")}
        </button>
      </div>
    </form>
  );
}

/** A new task. `onClose` is called when it was created, too. */
export function NewTask({ onClose }: { onClose: () => void }) {
  const { view, work, announcer } = useModel();
  const create = (subject: string, description: string) => {
    if (work.waiting.peek().has("new")) return; // Enter twice in one moment, before the form is drawn again
    work.ask(
      "new",
      (intent) => ({ type: "createTask", intent, subject, description }),
      () => {
        for (const field of ["subject", "description"]) setDraft(view, `task:new:${field}`, "");
        announcer.say(t("taskCreated", subject));
        onClose();
      },
    );
  };
  return (
    <div class="task-new">
      <TaskForm
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

/** Other texts for a task; only what differs is sent. */
export function EditTask({ task, description: before, onClose }: EditProps) {
  const { view, work } = useModel();
  const name = `task:${task.id}`;
  const close = () => {
    for (const field of ["subject", "description"]) setDraft(view, `${name}:${field}`, "");
    onClose();
  };
  const save = (subject: string, description: string) => {
    const change = {
      ...(subject !== task.subject && { subject }),
      ...(!isCut(before) && description !== before.trim() && { description }),
    };
    if (Object.keys(change).length === 0) return close();
    work.ask(task.id, (intent) => ({ type: "editTask", intent, task: task.id, ...change }), close);
  };
  return (
    <TaskForm
      name={name}
      subject={task.subject}
      description={isCut(before) ? null : before}
      action={t("saveTask")}
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
function isCut(description: string): boolean {
  return description.length > 2_000;
}
