import * as z from "zod";
import { givenModeSchema, resolveMode } from "../protocol/mode.ts";
import { DEFAULT_SETTINGS } from "../team/defaultSettings.ts";
import { homeFolder } from "../team/homeFolder.ts";
import {
  DEFAULT_MODELS,
  MODEL_ALIASES,
  type ModelCatalog,
  modelInfoSchema,
  resolveModel,
} from "../team/limits/models.ts";
import { isWebAddress, serverOfEnvironment } from "../team/webAddress.ts";
import { serverAddress } from "./serverAddress.ts";
import { stateRoot } from "./teams/stateRoot.ts";

/** How requests make themselves known. */
export type Notifications = "badge" | "toast" | "off";

/** One of our settings (`muster.` left out), as its value may be. */
const SETTINGS = {
  model: z.string().trim().min(1).default(DEFAULT_SETTINGS.model),
  models: z.partialRecord(z.enum(MODEL_ALIASES), modelInfoSchema.partial().required({ id: true })).default({}),
  thinking: z.enum(["off", "adaptive"]).default(DEFAULT_SETTINGS.thinking),
  permissionMode: givenModeSchema.transform(resolveMode).default(DEFAULT_SETTINGS.permissionMode),
  teammateMode: z.enum(["auto", "in-process", "terminal", "tmux"]).default("auto"),
  teammateCommand: z.string().trim().default(""),
  teammateSigned: z.nullable(z.boolean()).default(null),
  approvalTarget: z.enum(["user", "lead"]).default(DEFAULT_SETTINGS.approvalTarget),
  autoClaim: z.boolean().default(DEFAULT_SETTINGS.autoClaim),
  maxMembers: z.int().min(1).max(64).default(DEFAULT_SETTINGS.maxMembers),
  "budget.team": z.nullable(z.number().positive()).default(DEFAULT_SETTINGS.budget.team),
  "budget.member": z.nullable(z.number().positive()).default(DEFAULT_SETTINGS.budget.member),
  requestLimit: z.int().min(1).max(64).default(DEFAULT_SETTINGS.requestLimit),
  keepHistory: z.boolean().default(DEFAULT_SETTINGS.keepHistory),
  readClaudeSettings: z.boolean().default(false),
  notifications: z.enum(["badge", "toast", "off"]).default("badge"),
  baseUrl: z
    .string()
    .trim()
    .refine((text) => text === "" || isWebAddress(text), "it is no address that begins with https:// or http://")
    .default(""),
  stateRoot: z.string().trim().default(""),
} as const;

type Name = keyof typeof SETTINGS;
type Values = { [K in Name]: z.output<(typeof SETTINGS)[K]> };

/** The person's settings, checked. `faults`: one sentence for each value that cannot be used; its default holds. */
export interface Settings extends Omit<Values, "models" | "baseUrl" | "stateRoot"> {
  models: ModelCatalog;
  /** Undefined: the public API. */
  baseUrl: string | undefined;
  /** Absolute. */
  stateRoot: string;
  faults: string[];
}

/** Reads every setting. `get`: the value of `muster.NAME`, undefined where it has none. */
export function readSettings(get: (name: Name) => unknown, env: NodeJS.ProcessEnv, home = homeFolder()): Settings {
  const faults: string[] = [];
  const values = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, schema]) => [name, read(name as Name, schema, get, faults)]),
  ) as Values;
  const { models, baseUrl, stateRoot: folder, ...rest } = values;
  const { root, fault } = stateRoot(folder, env, home);
  const server = baseUrl === "" ? serverOfEnvironment(env) : null; // where the setting holds, nobody asks for it
  faults.push(...[fault, server?.fault].filter((one) => typeof one === "string"));
  return {
    ...rest,
    models: catalog(models),
    baseUrl: serverAddress(baseUrl, env),
    stateRoot: root,
    faults,
  };
}

function read(name: Name, schema: z.ZodType, get: (name: Name) => unknown, faults: string[]): unknown {
  const given = get(name);
  const isValue = given !== null || schema.safeParse(null).success; // a setting that nobody gave a value may be null
  const parsed = schema.safeParse(isValue ? given : undefined);
  if (parsed.success) return parsed.data;
  const why = parsed.error.issues.map((issue) => issue.message).join("; ");
  faults.push(`The setting muster.${name} cannot be used (${why}): its default holds until you change it.`);
  return schema.parse(undefined);
}

function catalog(given: Values["models"]): ModelCatalog {
  const entries = MODEL_ALIASES.map((alias) => {
    const own = given[alias];
    if (!own) return [alias, DEFAULT_MODELS[alias]];
    return [alias, { ...resolveModel(own.id, DEFAULT_MODELS), ...withoutUndefined(own) }];
  });
  return Object.fromEntries(entries) as ModelCatalog;
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Partial<T>;
}
