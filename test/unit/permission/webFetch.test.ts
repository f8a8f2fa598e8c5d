import { expect, it } from "vitest";
import { isPrivateHost } from "../../../src/permission/webAddresses.ts";
import { openEngine } from "../../support/permissionEngine.ts";

it("an address is judged as the browser's parser reads it", async () => {
  using engine = openEngine();
  const fetch = async (url: unknown, ...allow: string[]) =>
    (await engine.decide("WebFetch", { url }, { allow })).behavior;
  const rule = "WebFetch(domain:example.com)";
  expect(await fetch("https://EXAMPLE.com./a", rule)).toBe("allow");
  for (const url of [
    "https://example.com@evil.test/",
    "https://evil.test#@example.com",
    "https://user:pw@example.com/",
    "https://example.com.evil.test/",
    "https://exаmple.com/",
    "https://evil.test\\@example.com/",
    "https://example.com/\t",
  ])
    expect(await fetch(url, rule), url).toBe("ask");
  for (const url of [
    "file:///etc/passwd",
    "ftp://example.com",
    "javascript:1",
    "https://example.com\0.evil.test",
    "no url",
    7,
    undefined,
  ])
    expect(await fetch(url, rule, "WebFetch"), String(url)).toBe("deny");
});

it("a host is covered by its own rule, by one for those below it, or by all", async () => {
  using engine = openEngine();
  const fetch = async (host: string, rule: string, deny: string[] = []) =>
    (await engine.decide("WebFetch", { url: `https://${host}/` }, { allow: [rule], deny })).behavior;
  expect(await fetch("a.example.com", "WebFetch(domain:*.example.com)")).toBe("allow");
  expect(await fetch("example.com", "WebFetch(domain:*.example.com)")).toBe("ask");
  expect(await fetch("badexample.com", "WebFetch(domain:*.example.com)")).toBe("ask");
  expect(await fetch("example.com", "WebFetch(domain:*)")).toBe("allow");
  expect(await fetch("a.example.com", "WebFetch", ["WebFetch(domain:example.com)"])).toBe("deny");
});

it("this machine and its networks need a rule that spells them out", async () => {
  using engine = openEngine();
  const hosts = [
    "localhost",
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "0",
    "[::1]",
    "[::ffff:10.0.0.1]",
    "[fe80::1]",
    "[fd00::1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fec0::1]",
    "[64:ff9b:1::808:808]",
    "[2001:0:7f00:1::1]",
    "[5f00::1]",
    "168.63.129.16",
    "metadata.google.internal.",
    "10.1.2.3",
    "172.20.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.100.100.200",
    "metadata.google.internal",
    "printer.local",
    "intranet",
  ];
  for (const host of hosts) {
    const input = { url: `http://${host}/` };
    for (const rule of ["WebFetch", "WebFetch(domain:*)", "WebFetch(domain:*.*)"])
      expect((await engine.decide("WebFetch", input, { allow: [rule] })).behavior, `${host} ${rule}`).toBe("ask");
    expect((await engine.decide("WebFetch", input, { allow: [`WebFetch(domain:${host})`] })).behavior, host).toBe(
      "allow",
    );
  }
  for (const host of ["8.8.8.8", "172.32.0.1", "[2606:4700::1]", "example.com"])
    expect(isPrivateHost(host), host).toBe(false);
});
