import { expect, it } from "vitest";
import { call, steps, type Turn } from "../../../../src/demo/script.ts";
import { memberPty } from "../../../../src/extension/backends/memberPty.ts";
import { createSay } from "../../../../src/extension/displayLanguage.ts";
import { chineseBundle } from "../../../support/sentences.ts";
import { calls, createTeam, script, spawn, team } from "../../../support/teamScripts.ts";
import { windowTeams } from "../../../support/windowTeams.ts";

const inEnglish = createSay(undefined);

it("a member's terminal says what cannot be done any more, once the member has gone", async () => {
  const { host, live, start } = await windowTeams(
    team({
      "team-lead": script(calls(createTeam), calls(spawn("alice")), "I wait.", "She has gone."),
      alice: script("I have read it."),
    }),
  );
  await using _ = host;
  await start();
  await host.rest();
  const alice = host.session.members().find(({ name }) => name === "alice");
  if (!alice) throw new Error("There is no alice.");
  const pty = memberPty(live.terminals, alice, inEnglish);
  let shown = "";
  pty.onDidWrite((text) => {
    shown += text;
  });
  pty.open({ columns: 80, rows: 24 });
  expect(shown).toContain("I have read it.");
  await host.session.endMember("alice", "ended by the person");
  shown = "";
  pty.handleInput?.("\x1b");
  const refused = () => shown.includes("alice is not in the team any more.") || undefined;
  await host.until("why nothing was interrupted", refused);
  shown = "";
  pty.handleInput?.("Are you there?\r");
  await host.until("why nothing was sent", refused);
  pty.close();
  live.dispose();
});

it("a member's terminal stays that member's when another gets its name", async () => {
  const prompts = ["You are the first.", "You are the second."];
  const lead = ({ incoming }: Turn) =>
    incoming.text.includes("Spawn alice") ? calls(spawn("alice", { prompt: prompts.shift() })) : "Fine.";
  const alice = steps(["Here."], "Still here.");
  const { host, live, start } = await windowTeams(team({ "team-lead": steps([calls(createTeam)], lead), alice }));
  await using _ = host;
  await start();
  await host.rest();
  const opened = async () => {
    await host.session.say("team-lead", "Spawn alice.");
    const member = await host.until("alice to rest", () =>
      host.session.members().find(({ name, state }) => name === "alice" && state === "idle"),
    );
    const terminal = { pty: memberPty(live.terminals, member, inEnglish), shown: "" };
    terminal.pty.onDidWrite((text) => {
      terminal.shown += text;
    });
    terminal.pty.open({ columns: 80, rows: 24 });
    return terminal;
  };
  const first = await opened();
  await host.session.endMember("alice", "ended by the person");
  await host.rest();
  first.shown = "";
  const second = await opened();
  await host.session.say("alice", "Go on.");
  await host.until("her answer", () => second.shown.includes("Still here."));
  for (const text of ["second", "Here.", "Go on.", "Still here."]) expect(first.shown).not.toContain(text);
  first.pty.handleInput?.("Are you there?\r");
  await host.until("why nothing was sent", () => first.shown.includes("alice is not in the team any more."));
  await host.rest();
  expect(second.shown).not.toContain("Are you there?");
  for (const { pty } of [first, second]) pty.close();
  live.dispose();
});

it("a member's terminal says that a call waits for a decision, and where that is made, also when it is opened then", async () => {
  const asks = calls(call("Bash", { command: "touch made.txt" }));
  const { host, live, start } = await windowTeams(team({ "team-lead": script(asks, "It is made.") }));
  await using _ = host;
  await start();
  await host.until("the request", () => host.session.requests.pending[0]);
  const [lead] = host.session.members();
  if (!lead) throw new Error("There is no lead.");
  const pty = memberPty(live.terminals, lead, createSay(chineseBundle()));
  let shown = "";
  pty.onDidWrite((text) => {
    shown += text;
  });
  pty.open({ columns: 80, rows: 24 });
  expect(shown).toContain("你在这里写给 team-lead：Enter 发送，Esc 或 Ctrl-C 中断。");
  await host.until("the sentence", () => shown.includes("在视图“代理团队”中等你决定。") || undefined);
  const request = host.session.requests.pending[0];
  await host.session.requests.decide(request?.id ?? "", { kind: "allow", scope: "once" }, "person");
  await host.rest();
  shown = "";
  pty.setDimensions?.({ columns: 70, rows: 24 });
  expect(shown).toContain("It is made.");
  expect(shown).not.toContain("等你决定");
  pty.close();
  live.dispose();
});

it("a member's terminal says that the team is paused, and that it goes on", async () => {
  const { host, live, start } = await windowTeams(team({ "team-lead": script("I wait.") }));
  await using _ = host;
  await start();
  await host.rest();
  const [lead] = host.session.members();
  if (!lead) throw new Error("There is no lead.");
  const opened = () => {
    const pty = memberPty(live.terminals, lead, inEnglish);
    const terminal = { pty, shown: "" };
    pty.onDidWrite((text) => {
      terminal.shown += text;
    });
    pty.open({ columns: 80, rows: 24 });
    return terminal;
  };
  const before = opened();
  expect(before.shown).not.toContain("Paused");
  await host.session.pauses.pause();
  await host.until("the pause", () => before.shown.includes("Paused: nobody works now.") || undefined);
  const meanwhile = opened();
  expect(meanwhile.shown).toContain("Paused: nobody works now.");
  expect(before.shown).not.toContain("It goes on.");
  await host.session.pauses.resume();
  for (const terminal of [before, meanwhile]) {
    await host.until("the end of the pause", () => terminal.shown.includes("It goes on.") || undefined);
    expect(terminal.shown.match(/Paused/g)).toHaveLength(1);
    terminal.pty.close();
  }
  live.dispose();
});

it("a member's terminal speaks the display language, and leaves what models and the person wrote as it is", async () => {
  const { host, live, start } = await windowTeams(team({ "team-lead": script("Paused: nobody works now.") }));
  await using _ = host;
  await start();
  await host.rest();
  const [lead] = host.session.members();
  if (!lead) throw new Error("There is no lead.");
  const pty = memberPty(live.terminals, lead, createSay(chineseBundle()));
  let shown = "";
  pty.onDidWrite((text) => {
    shown += text;
  });
  pty.open({ columns: 80, rows: 24 });
  expect(shown).toContain("Paused: nobody works now.");
  expect(shown).toContain("你\u001b");
  await host.session.pauses.pause();
  await host.until("the pause", () => shown.includes("已暂停：现在没有人工作。") || undefined);
  await host.session.pauses.resume();
  await host.until("the end of the pause", () => shown.includes("继续进行。") || undefined);
  shown = "";
  pty.setDimensions?.({ columns: 60, rows: 24 });
  expect(shown).toContain("已暂停：现在没有人工作。");
  pty.close();
  live.dispose();
});
