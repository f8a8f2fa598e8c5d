import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { makeEntry } from "../../../../src/protocol/message.ts";
import { createLeadKey, createLeadVerifier, type LeadKey } from "../../../../src/team/lead/leadSignature.ts";

const now = Date.parse("2026-11-28T10:00:00.000Z");
const entry = (more: Record<string, unknown> = {}, at = "2026-11-28T10:00:05.000Z") => ({
  ...makeEntry({ from: "team-lead", text: 'Do it: "now", 研究员 \u2028', summary: "Work" }, at, crypto.randomUUID()),
  ...more,
});

/** Signs an entry as its lead does. */
function signed(key: LeadKey, one = entry()) {
  return { ...one, lead_sig: key.sign(one) };
}

describe("an entry that the lead signed", () => {
  it("counts once for the process that has the key", async () => {
    const key = await createLeadKey(now);
    const verifier = createLeadVerifier(key.flag, now);
    const letter = signed(key);
    expect(verifier.accepts(letter)).toBe(true);
    expect(verifier.accepts(letter)).toBe(false);
    expect(createLeadVerifier(key.flag, now).accepts({ ...letter, read: true, extra: 1 } as never)).toBe(true);
  });

  it.each(["text", "from", "timestamp", "summary", "color", "msg_id", "from_plugin"])(
    "does not count with another %s",
    async (field) => {
      const key = await createLeadKey(now);
      const letter = { ...signed(key), [field]: "2026-11-28T10:00:06.000Z" };
      expect(createLeadVerifier(key.flag, now).accepts(letter)).toBe(false);
    },
  );

  it("does not count without a signature, with that of another key, or with nonsense", async () => {
    const key = await createLeadKey(now);
    const verifier = createLeadVerifier(key.flag, now);
    expect(verifier.accepts(entry())).toBe(false);
    expect(verifier.accepts(signed(await createLeadKey(now)))).toBe(false);
    for (const lead_sig of ["", "AAAA", "not base64url!", "x".repeat(10_000)])
      expect(verifier.accepts({ ...entry(), lead_sig })).toBe(false);
  });

  it("does not count when it is over two minutes older than the process, unless it was signed anew", async () => {
    const key = await createLeadKey(now);
    const old = (at: string, more: Record<string, unknown> = {}) => signed(key, entry(more, at));
    const accepts = (one: ReturnType<typeof old>) => createLeadVerifier(key.flag, now).accepts(one);
    expect(accepts(old("2026-11-28T09:58:01.000Z"))).toBe(true);
    expect(accepts(old("2026-11-28T09:57:59.000Z"))).toBe(false);
    expect(accepts(old("2026-11-27T09:00:00.000Z", { muster: { signedAt: "2026-11-28T09:59:59.000Z" } }))).toBe(true);
  });

  it("has its time of signing from nobody but its lead: a field that is not signed makes no old one new", async () => {
    const hourAgo = new Date(now - 3_600_000).toISOString();
    const key = await createLeadKey(now - 3_600_000);
    const letter = signed(key, entry({}, hourAgo));
    const accepts = (more: Record<string, unknown>) =>
      createLeadVerifier(key.flag, now).accepts({ ...letter, ...more } as never);
    for (const signedAt of [new Date(now).toISOString(), "?", "", "9999-12-31T00:00:00.000Z"])
      expect([signedAt, accepts({ muster: { signedAt } })]).toEqual([signedAt, false]);
    expect(createLeadVerifier(key.flag, now - 3_600_000).accepts(letter)).toBe(true);
  });

  it.each(["?", "", "the day before"])("does not count where its time is %j", async (at) => {
    const key = await createLeadKey(now);
    const accepts = (one: Record<string, unknown>) => createLeadVerifier(key.flag, now).accepts(one as never);
    expect(accepts(signed(key, entry({}, at)))).toBe(false);
    expect(accepts(signed(key, entry({ muster: { signedAt: at } })))).toBe(false);
  });

  it("has a signature that another program finds right: openssl, from the fields in their order", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "muster-signature-"));
    try {
      const key = await createLeadKey(now);
      const letter = signed(key);
      const der = Buffer.from(key.flag.split(".")[1] ?? "", "base64url");
      const fields = ["claude-team-lead-entry-v1", letter.msg_id, letter.from, letter.timestamp, letter.text];
      const bytes = JSON.stringify([...fields, letter.summary ?? null, letter.color ?? null, null]);
      await writeFile(path.join(folder, "key.der"), der);
      await writeFile(path.join(folder, "bytes"), bytes);
      await writeFile(path.join(folder, "sig"), Buffer.from(letter.lead_sig, "base64url"));
      const verify = (file: string) =>
        spawnSync(
          "openssl",
          [
            "pkeyutl",
            "-verify",
            "-pubin",
            "-keyform",
            "DER",
            "-inkey",
            "key.der",
            "-rawin",
            "-in",
            file,
            "-sigfile",
            "sig",
          ],
          { cwd: folder, encoding: "utf8" },
        );
      const good = verify("bytes");
      expect(good.stdout + good.stderr).toContain("Signature Verified Successfully");
      await writeFile(path.join(folder, "other"), `${bytes} `);
      expect(verify("other").status).not.toBe(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("--lead-verify-key", () => {
  it.each(["", "key", "1.", "1.AAAA", `x.${"A".repeat(59)}`])(
    "that is no key (%j) is refused with a sentence",
    (flag) => {
      expect(() => createLeadVerifier(flag, now)).toThrow("--lead-verify-key is no key");
    },
  );
});
