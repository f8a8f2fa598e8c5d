import type { Piece } from "./fields.ts";

/**
 * What is known of the shell at one point of a script. `cwds`: every folder that it may stand in, undefined where that
 * cannot be told. `variables`: those that the script has set; undefined values are unknown. `functions`: those that are
 * defined for sure.
 */
export interface ShellState {
  home: string;
  cwds: readonly string[] | undefined;
  variables: Map<string, readonly Piece[] | undefined>;
  functions: Set<string>;
}

const MAX_FOLDERS = 4;

/** A copy that can go its own way: a subshell, a branch. */
export function cloneState(state: ShellState): ShellState {
  return { ...state, variables: new Map(state.variables), functions: new Set(state.functions) };
}

/** Makes `state` what is known where either of both may have happened. */
export function mergeState(state: ShellState, other: ShellState): void {
  state.cwds = mergeFolders(state.cwds, other.cwds);
  for (const name of new Set([...state.variables.keys(), ...other.variables.keys()])) {
    if (samePieces(state.variables.get(name), other.variables.get(name))) continue;
    if (!state.variables.has(name) || !other.variables.has(name)) forgetVariable(state, name, true);
    else forgetVariable(state, name, mayBeInherited(other, name));
  }
  for (const name of [...state.functions]) if (!other.functions.has(name)) state.functions.delete(name);
}

/**
 * Makes a variable unknown. `inherited`: it may still be what the environment brought along; that it is so already is
 * never forgotten, because such a value may be a secret.
 */
export function forgetVariable(state: ShellState, name: string, inherited: boolean): void {
  const secret = inherited || !state.variables.has(name) || mayBeInherited(state, name);
  state.variables.set(name, secret ? [{ kind: "any", variable: name }] : undefined);
}

/** Forgets everything that code which cannot be read may have changed. */
export function forgetState(state: ShellState): void {
  forgetVariables(state);
  state.functions.clear();
}

/** Forgets where the shell stands and what its variables hold, as after a call of a function. */
export function forgetVariables(state: ShellState): void {
  state.cwds = undefined;
  for (const name of state.variables.keys()) forgetVariable(state, name, false);
}

/** The folders of both, or undefined where there are too many to follow. */
export function mergeFolders(
  left: readonly string[] | undefined,
  right: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!left || !right) return undefined;
  const all = [...new Set([...left, ...right])];
  return all.length > MAX_FOLDERS ? undefined : all;
}

function mayBeInherited(state: ShellState, name: string): boolean {
  return state.variables.get(name)?.some((piece) => piece.kind === "any" && piece.variable === name) ?? false;
}

function samePieces(left: readonly Piece[] | undefined, right: readonly Piece[] | undefined): boolean {
  return left !== undefined && right !== undefined && JSON.stringify(left) === JSON.stringify(right);
}
