import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor, type VisitorObject } from "oxc-parser";
import { projectRoot } from "../../scripts/project.ts";

/** A sentence of the source with its places numbered: `There is no task {0}.` */
export interface Sentence {
  text: string;
  file: string;
}

type Node =
  | Parameters<NonNullable<VisitorObject["Literal"]>>[0]
  | Parameters<NonNullable<VisitorObject["TemplateLiteral"]>>[0];
type Argument = { type: string };

/** Files whose every text of several words is read by a person in the window. */
const VIEWS = ["src/team/views/**/*.ts"];
/** Files whose every whole sentence is: the rest is names of programs and their options. */
const REASONS = [
  "src/permission/**/*.ts",
  "src/team/views/**/*.ts",
  "src/team/limits/tellPauses.ts",
  "src/cli/run/policies.ts",
];
/** Files whose every text of several words is a part of what an error or a rest says. */
const PARTS = ["src/agent/modelFailure.ts", "src/store/{fsErrors,unknown}.ts", "src/protocol/{names,stopReasons}.ts"];
/** Files whose every text that ends as a sentence does is, whatever it begins with. */
const FINDINGS = ["src/store/doctor*.ts", "src/extension/doctorText.ts", "src/team/requests/findInSettings.ts"];
/** Files whose every text that begins with a capital letter is. */
const WORDS = ["src/extension/{keyFault,teams/foreignTeam,members/memberWords,members/memberModes}.ts"];
/** Files whose every text that begins with a capital letter, or is of several words, is. */
const CHOICES = ["src/extension/requests/requestChoices.ts"];
/** Files whose errors reach the window. */
const ERRORS = ["src/{base,protocol,store,agent,permission,team,extension,changes}/**/*.ts"];
const EXTENSION = ["src/extension/**/*.ts"];

/** The sentences of our own that a person may read in the window, but for the webview's own words. */
export function windowSentences(): Sentence[] {
  const found = [
    ...collect(VIEWS, textsThat(isSentence)),
    ...collect(REASONS, textsThat(isWholeSentence)),
    ...collect(PARTS, textsThat(isSentence)),
    ...collect(
      FINDINGS,
      textsThat((text) => isSentence(text) && /[.:]$/.test(text)),
    ),
    ...collect(WORDS, textsThat(isCapital)),
    ...collect(
      CHOICES,
      textsThat((text) => isCapital(text) || isSentence(text)),
    ),
    ...collect(ERRORS, errors),
    ...collect(ERRORS, fileErrors),
    ...collect(ERRORS, reasons),
    ...collect(EXTENSION, said),
  ];
  return [
    ...new Map(
      found
        .filter(({ text }) => /[a-z]{2}/i.test(text.replaceAll(/\{\d\}/g, "")))
        .map((sentence) => [sentence.text, sentence]),
    ).values(),
  ];
}

/** The sentences of the window in Simplified Chinese: English sentence → translation. */
export function chineseBundle(): Record<string, string> {
  return JSON.parse(readFileSync(path.join(projectRoot, "l10n/bundle.l10n.zh-cn.json"), "utf8"));
}

/** Every text of the source that stands below the window or in it, sentence or not. */
export function allTexts(): Set<string> {
  return new Set(
    collect(
      ["src/**/*.ts"],
      textsThat(() => true),
    ).map(({ text }) => text),
  );
}

/** Takes what an expression can come to, each as `written` makes it; null: it is no sentence. */
type Take = (node: Argument | undefined, written?: (text: string) => string | null) => void;
type Visit = (take: Take) => VisitorObject;

function collect(globs: readonly string[], visit: Visit): Sentence[] {
  return globs
    .flatMap((glob) => globSync(glob, { cwd: projectRoot }))
    .flatMap((file) => {
      const source = readFileSync(path.join(projectRoot, file), "utf8");
      const found: Sentence[] = [];
      const take: Take = (node, written = (text) => text) => {
        for (const one of node ? textsOf(node) : []) {
          const text = written(one);
          if (text !== null) found.push({ text, file });
        }
      };
      new Visitor(visit(take)).visit(parseSync(file, source).program);
      return found;
    });
}

const textsThat =
  (fits: (text: string) => boolean): Visit =>
  (take) => {
    const look = (node: Node) => {
      const text = textOf(node);
      if (text !== null && fits(text)) take(node);
    };
    return { Literal: look, TemplateLiteral: look };
  };

const errors: Visit = (take) => ({
  NewExpression(node) {
    if (node.callee.type === "Identifier" && node.callee.name === "MusterError") take(node.arguments[1]);
  },
  CallExpression({ callee, arguments: given }) {
    if (callee.type === "Identifier" && callee.name === "refused") take(given[2]); // "Task #{0} {1}."
  },
});

/** What the file system refused: "The file was not written", then why. */
const fileErrors: Visit = (take) => ({
  CallExpression({ callee, arguments: given }) {
    if (callee.type !== "Identifier") return;
    if (callee.name === "withFileErrors") take(given[0], withWhy);
    if (callee.name === "fileFailure") take(given[1], withWhy);
  },
});

/** Functions that are handed why something ended, failed or stands still: behind a name or in a row it is shown. */
const TOLD_WHY = new Set([
  "endMember",
  "failMember",
  "kill",
  "endAll",
  "setState",
  "settle",
  "countFruitless",
  "refused",
  "noKey",
]);

/** Reasons that are handed on: to those functions, as a property `reason`, or by a function `…Reason`. */
const reasons: Visit = (take) => {
  const named: boolean[] = [];
  const reason = (node: Argument | null | undefined) =>
    take(node ?? undefined, (text) => (isSentence(text) ? text : null));
  return {
    CallExpression({ callee, arguments: given }) {
      const called = callee.type === "MemberExpression" ? callee.property : callee;
      if (called.type === "Identifier" && TOLD_WHY.has(called.name)) for (const one of given) reason(one);
    },
    ObjectExpression({ properties }) {
      const propertyOf = (name: string) =>
        properties
          .filter((one) => one.type === "Property")
          .find(({ key }) => key.type === "Identifier" && key.name === name)?.value;
      if (!propertyOf("allow") && !propertyOf("ok")) reason(propertyOf("reason")); // with those it goes to a model
    },
    FunctionDeclaration: ({ id }) => void named.push(/Reason$/.test(id?.name ?? "")),
    "FunctionDeclaration:exit": () => void named.pop(),
    ReturnStatement({ argument }) {
      if (named.at(-1)) reason(argument);
    },
  };
};

const said: Visit = (take) => ({
  CallExpression({ callee, arguments: given }) {
    if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
    if (callee.property.name === "t") take(given[0]);
  },
});

/** The texts that an expression can come to; a template's expressions are numbered places. */
function textsOf(node: Argument): string[] {
  if (node.type === "ConditionalExpression") {
    const { consequent, alternate } = node as Argument & { consequent: Argument; alternate: Argument };
    return [...textsOf(consequent), ...textsOf(alternate)];
  }
  if (node.type === "LogicalExpression") {
    const { left, right } = node as Argument & { left: Argument; right: Argument };
    return [...textsOf(left), ...textsOf(right)];
  }
  const text = textOf(node as Node);
  return text === null ? [] : [text];
}

function textOf(node: Node): string | null {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value.replace("{path}", "{0}") : null;
  if (node.type !== "TemplateLiteral") return null;
  return node.quasis.reduce((text, { value }, at) => (at === 0 ? "" : `${text}{${at - 1}}`) + value.cooked, "");
}

/** The sentence of an error, as `fileFailure` makes it. */
function withWhy(what: string): string {
  return `${what}: {${what.match(/\{\d\}/g)?.length ?? 0}}.`;
}

function isSentence(text: string): boolean {
  return /[a-z]{2,} (?:a )?(?:[a-z]{2,}|\{)|\{\d\} [a-z]{2,}/i.test(text) && !/^\{\d\} ms$|^\s*\{\d\}\n/.test(text);
}

function isWholeSentence(text: string): boolean {
  return /^[A-Z][a-z]+\.$/.test(text) || (isSentence(text) && /^(?:[A-Z]|\{\d\}[^\n]*[a-z]).*\.$/s.test(text));
}

function isCapital(text: string): boolean {
  return /^[A-Z][a-z]/.test(text);
}
