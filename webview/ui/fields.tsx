import "@vscode-elements/elements/dist/vscode-option/index.js";
import "@vscode-elements/elements/dist/vscode-single-select/index.js";
import type { HTMLAttributes, Ref } from "preact";

import { Icon, type IconName } from "./icon.tsx";

/** The elements of vscode-elements that are used, with the properties that are set on them. */
interface FieldElement extends HTMLElement {
  value: string;
}
type FieldAttributes = HTMLAttributes<FieldElement> & { value?: string; label?: string; ref?: Ref<FieldElement> };

declare module "preact" {
  // biome-ignore lint/style/noNamespace: how preact lets elements be declared
  namespace JSX {
    interface IntrinsicElements {
      "vscode-single-select": FieldAttributes;
      "vscode-option": { key?: string; value: string; children: string };
    }
  }
}

interface TextProps {
  label: string;
  value: string;
  placeholder?: string;
  onInput: (text: string) => void;
  inputRef?: Ref<HTMLElement>;
}

/** A field of several lines that grows with its text. */
export function TextArea({
  label,
  value,
  placeholder,
  onInput,
  inputRef,
  rows = 2,
  code = false,
  readOnly = false,
}: TextProps & { rows?: number; code?: boolean; readOnly?: boolean }) {
  return (
    <textarea
      ref={inputRef as Ref<HTMLTextAreaElement>}
      class={`text-area ${code ? "text-area-code" : ""} ${rows > 2 ? "text-area-tall" : ""}`}
      aria-label={label}
      rows={rows}
      readOnly={readOnly}
      placeholder={placeholder}
      spellcheck={!code}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

/** A field of one line, with an icon for what it does. */
export function TextField({ label, value, placeholder, onInput, inputRef, icon }: TextProps & { icon: IconName }) {
  return (
    <span class="text-field">
      <Icon name={icon} />
      <input
        ref={inputRef as Ref<HTMLInputElement>}
        type="text"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </span>
  );
}

interface SelectProps<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: string }[];
  onChange: (value: V) => void;
}

/** A choice of one. */
export function Select<V extends string>({ label, value, options, onChange }: SelectProps<V>) {
  return (
    <vscode-single-select
      class="select"
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as V)}
    >
      {options.map((option) => (
        <vscode-option key={option.value} value={option.value}>
          {option.label}
        </vscode-option>
      ))}
    </vscode-single-select>
  );
}
