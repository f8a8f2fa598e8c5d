import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { call } from "../../../src/demo/script.ts";
import { openTeamHost } from "../../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../../support/teamScripts.ts";

it("a page's redirect to a private address is a request of its own, and what the person denies is not fetched", async () => {
  const requests: string[] = [];
  const server = createServer(({ headers, url }, response) => {
    requests.push(`${headers.host?.split(":")[0]}${url}`);
    if (url === "/page") response.writeHead(302, { location: `http://localhost:${port()}/inside` }).end();
    else response.writeHead(200, { "content-type": "text/plain" }).end("from inside");
  });
  const port = () => (server.address() as AddressInfo).port;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${port()}/page`;
  const fetchPage = () => call("WebFetch", { url });
  await using host = await openTeamHost(
    team({
      "team-lead": script(calls(createTeam), calls(spawn("alice", { subagent_type: "Explore" })), "Waiting.", "Fine."),
      alice: script(calls(fetchPage()), calls(fetchPage()), "Read."),
    }),
  );
  host.session.start("Go.");
  const first = await host.request();
  expect(first).toMatchObject({ tool: "WebFetch", input: { url }, guarded: true, suggestions: [] });
  await host.decide(first, { kind: "allow", scope: "once" });
  const redirect = await host.request((request) => request.id !== first.id);
  expect(redirect).toMatchObject({ tool: "WebFetch", input: { url: `http://localhost:${port()}/inside` } });
  expect(requests).toEqual(["127.0.0.1/page"]);
  await host.decide(redirect, { kind: "deny", reason: "Not in there." });
  const again = await host.request((request) => ![first.id, redirect.id].includes(request.id));
  expect(requests).toEqual(["127.0.0.1/page"]);
  expect(host.lastSent("alice")).toContain("Not in there.");
  await host.decide(again, { kind: "allow", scope: "once" });
  const known = new Set([first.id, redirect.id, again.id]);
  await host.decide(await host.request((request) => !known.has(request.id)), { kind: "allow", scope: "once" });
  await host.rest();
  expect(requests).toEqual(["127.0.0.1/page", "127.0.0.1/page", "localhost/inside"]);
  expect(host.lastSent("alice")).toContain("from inside");
  await new Promise((resolve) => server.close(resolve));
});
