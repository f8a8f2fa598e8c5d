import { describe, expect, it } from "vitest";
import { call, type Turn } from "../../src/demo/script.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { childStarter } from "../support/childStarter.ts";
import { openTeamHost } from "../support/teamHost.ts";
import { agreeable, calls, createTeam, message, script, spawn, team } from "../support/teamScripts.ts";

const cli = useBuiltCli();

describe("a teammate that is killed while mail waits for it", () => {
  it("is dead once: nobody starts it again, its unread mail is told to the lead, and mail to it is refused (row 50)", async () => {
    const starter = childStarter();
    const started: string[] = [];
    const counting: typeof starter = {
      ...starter,
      start: (spec, signal) => {
        started.push(spec.name);
        return starter.start(spec, signal);
      },
    };
    const writes = Array.from({ length: 11 }, (_, index) => message("alice", `Body ${index + 1}`, `Note ${index + 1}`));
    const host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(spawn("alice"), spawn("bob")),
          "Waiting.",
          calls(message("alice", "Are you there?")),
          "So be it.",
          agreeable,
        ),
        alice: script(calls(call("Bash", { command: "sleep 60" })), "Never."),
        bob: script("Here.", (turn: Turn) => (turn.incoming.text.includes("Write") ? calls(...writes) : "Fine.")),
      }),
      { permissionMode: "bypassPermissions" },
      { processes: { starter: counting, cli: cli.file } },
    );
    await using _ = host;
    const states = () => new Map(host.session.members().map(({ name, activity }) => [name, activity?.tool]));
    host.session.start("Go.");
    await host.until("the command", () => states().get("alice") === "Bash");
    await host.until(
      "bob to be idle",
      () => host.session.members().find(({ name }) => name === "bob")?.state === "idle" && host.count("bob") === 1,
    );
    await host.session.say("bob", "Write to alice.");
    const unread = async () => (await host.store.inboxes.read("demo", "alice")).entries.filter(({ read }) => !read);
    await host.until("the mail", async () => (await unread()).length === 11);
    process.kill(starter.pids.get("alice") ?? 0, "SIGKILL");
    await host.until("alice to be gone", () => !states().has("alice"));

    await host.until("the lead to hear", () => sentToLead().includes("alice has failed"));
    const [notice = ""] = /alice has failed.*?<\/teammate-message>/.exec(sentToLead()) ?? [];
    expect(notice).toContain("11 message(s) to it were not read: bob: ");
    expect(notice).toMatch(/Note 1\W.*Note 10\W.* and 1 more\./);
    expect(notice).not.toMatch(/Note 11|You are alice/);
    await host.until("the refusal", () => /alice\W+ is not a member of team demo/.test(sentToLead()));
    await host.rest();
    await expect(host.session.say("alice", "Hello?")).rejects.toThrow(/is not a member of team demo/);
    expect(started).toEqual(["alice", "bob"]);
    expect(await unread()).toHaveLength(11);
    expect((await host.store.snapshots.read("demo")).presence.has("alice")).toBe(false);

    function sentToLead(): string {
      return JSON.stringify(host.server.requests.findLast(({ member }) => member === "team-lead")?.request.messages);
    }
  });
});
