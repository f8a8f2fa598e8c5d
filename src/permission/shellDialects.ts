/**
 * Shells other than bash read some texts differently: what bash takes for one quoted word may be a command there. Whether
 * such a shell surely reads a text as bash does. `split`: no shell, but `env -S`, which has quotes of its own.
 */
export function readsAlike(shell: string, script: string): boolean {
  if (shell === "bash") return true;
  if (shell === "split") return /^[\w\s./:=,+@%-]*$/.test(script);
  return /^(?:sh|dash|ash|busybox)$/.test(shell) && !DIFFERS.test(script);
}

const DIFFERS = /\$['"[]|&>|[<>]\(|\|&|\(\(|[{[=]|<<<|\b(?:function|time|coproc|select)\b/;
