import { createPublicKey, generateKeyPair, type KeyObject, sign, verify } from "node:crypto";
import { promisify } from "node:util";
import { MusterError } from "../../base/errors.ts";
import { type Entry, messageId } from "../../protocol/message.ts";

/**
 * The key with which a lead signs its entries for one process of one teammate. The private half never leaves the lead's
 * process: a lead that lacks it (after a restart) starts the teammate anew with another key.
 */
export interface LeadKey {
  /** What the process gets as `--lead-verify-key`: `{ms}.{base64url DER SPKI}`. */
  readonly flag: string;
  /** The `lead_sig` of an entry. */
  sign(entry: Entry & { msg_id: string }): string;
}

/** Makes a key; `now` in ms. */
export async function createLeadKey(now: number): Promise<LeadKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("ed25519");
  const der = publicKey.export({ format: "der", type: "spki" });
  return {
    flag: `${now}.${der.toString("base64url")}`,
    sign: (entry) => sign(null, signedBytes(entry), privateKey).toString("base64url"),
  };
}

/** Tells a process member which entries its lead wrote. */
export interface LeadVerifier {
  /** Whether the lead signed this entry for this process. Each id counts once: ask once. */
  accepts(entry: Entry): boolean;
}

/** An entry that was signed longer than this before the process began does not count, in ms. */
const OLDEST_MS = 2 * 60_000;

/**
 * A verifier for the value of `--lead-verify-key`; `startedAt` in ms. Throws `usage` where it is none. When an entry was
 * signed its timestamp says, which is signed with it; `muster.signedAt` is not, so anybody could write it. It counts only
 * with a key that was made for this process: nothing can have been signed with that one before.
 */
export function createLeadVerifier(flag: string, startedAt: number): LeadVerifier {
  const { key, madeAt } = publicKeyOf(flag);
  const isRecent = (time: number) => startedAt - time <= OLDEST_MS; // of NaN it is false
  const counted = new Set<string>();
  return {
    accepts(entry) {
      const id = messageId(entry);
      if (entry.lead_sig === undefined || entry.msg_id === undefined || counted.has(id)) return false;
      const signedAt = isRecent(madeAt) ? entry.muster?.signedAt : undefined;
      if (!isRecent(Date.parse(signedAt ?? entry.timestamp))) return false;
      const signature = Buffer.from(entry.lead_sig, "base64url");
      if (!verify(null, signedBytes({ ...entry, msg_id: entry.msg_id }), key, signature)) return false;
      counted.add(id);
      return true;
    },
  };
}

/** What is signed: the UTF-8 JSON of these fields in this order (as 2.1.332 does). */
function signedBytes({ msg_id, from, timestamp, text, summary, color, from_plugin }: Entry & { msg_id: string }) {
  const fields = [msg_id, from, timestamp, text, summary ?? null, color ?? null, from_plugin ?? null];
  return Buffer.from(JSON.stringify(["claude-team-lead-entry-v1", ...fields]));
}

function publicKeyOf(flag: string): { key: KeyObject; madeAt: number } {
  const [, madeAt, encoded] = /^(\d+)\.([A-Za-z0-9_-]+)$/.exec(flag) ?? [];
  try {
    const key = createPublicKey({ key: Buffer.from(encoded ?? "", "base64url"), format: "der", type: "spki" });
    if (key.asymmetricKeyType === "ed25519") return { key, madeAt: Number(madeAt) };
  } catch {
    // said below
  }
  throw new MusterError("usage", "--lead-verify-key is no key: it is {milliseconds}.{an Ed25519 key in base64url}.");
}
