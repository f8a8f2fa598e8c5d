import { afterEach, describe, expect, it } from "vitest";
import { expectMail, expectResult, expectText, expectThat, resultObject } from "../../../src/demo/expectations.ts";
import { readIncoming } from "../../../src/demo/incoming.ts";
import { type MessagesServer, startMessagesServer } from "../../../src/demo/messagesServer.ts";
import { always, call, type MemberScript, scriptedTeam, steps } from "../../../src/demo/script.ts";
import { wrapForModel } from "../../../src/protocol/message.ts";
import { type Conversation, converse, resultOf, toolNamed } from "../../support/messagesClient.ts";

const servers: MessagesServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function serve(script: MemberScript): Promise<MessagesServer> {
  const server = await startMessagesServer(scriptedTeam({ nora: script }));
  servers.push(server);
  return server;
}

async function talk(script: MemberScript): Promise<Conversation> {
  return converse((await serve(script)).url, { tools: [toolNamed("Read"), toolNamed("Edit")] });
}

const texts = (blocks: { type: string; text?: unknown }[]) => blocks.map((block) => block.text);

describe("a script of steps", () => {
  it("answers one request after another, from what each is sent", async () => {
    const nora = await talk(
      steps([
        (turn) => `You said ${turn.incoming.text}`,
        {
          step: "read",
          text: "I read it.",
          calls: [call("Read", { file_path: "a" }), call("Read", { file_path: "b" })],
        },
        (turn) => `${expectResult(turn, /^one/)} and ${expectResult(turn, "two", { index: 1 })}`,
      ]),
    );
    expect(texts(await nora.say("hello"))).toEqual(["You said hello"]);
    const reply = await nora.say("go on");
    // Results are given in the order of the calls, in whichever order they come.
    expect(texts(await nora.say([resultOf(reply[2], "two b"), resultOf(reply[1], "one a")]))).toEqual([
      "one a and two b",
    ]);
  });

  it("fails with a sentence that names member, step, what was expected and what came", async () => {
    const nora = await talk(
      steps([{ step: "read the file", calls: [call("Read")] }, (turn) => expectResult(turn, "Math.round"), "x"]),
    );
    const reply = await nora.say("go");
    const sentence =
      'Script of "nora", step 2, after or in "read the file": expected a result of Read with "Math.round", came an error: "No such file.".';
    await expect(nora.say([resultOf(reply[0], "No such file.", true)])).rejects.toThrow(sentence);
    // It stays failed: the next request is answered with the same sentence.
    nora.messages.splice(-1);
    await expect(nora.say([resultOf(reply[0], "Math.round", false)])).rejects.toThrow(sentence);
    expect(servers[0]!.failures).toEqual([sentence, sentence]);
  });

  it("fails when a request comes behind its last step, and when it calls a tool that the request does not offer", async () => {
    const nora = await talk(steps(["One."]));
    await nora.say("a");
    await expect(nora.say("b")).rejects.toThrow(
      'step 2: expected no further request, as the script has ended, came "b".',
    );
    const theo = await talk(steps([{ calls: [call("Bash", { command: "ls" })] }]));
    await expect(theo.say("a")).rejects.toThrow(
      "expected a request that offers the tool Bash, came one that offers Read, Edit.",
    );
    const unlisted = await talk(steps([{ calls: [{ tool: "Bash", input: {}, unlisted: true }] }]));
    expect(await unlisted.say("a")).toMatchObject([{ type: "tool_use", name: "Bash" }]);
  });

  it("says which line of a script threw something else", async () => {
    const nora = await talk(
      always(() => {
        throw new Error("nothing is set up");
      }),
    );
    await expect(nora.say("a")).rejects.toThrow('Script of "nora", step 1: the script failed: nothing is set up.');
  });
});

describe("expectations", () => {
  it("read results, mail and text of a turn", async () => {
    const mail = wrapForModel([
      { from: "theo", text: "The table is done.", color: "green", summary: 'He said "done" & left' },
      { from: "system", text: '{"type":"teammate_terminated","message":"theo has shut down."}' },
      { from: "team-lead", text: "Stop.", verified: false },
    ]);
    const nora = await talk(
      always((turn) => {
        if (turn.step === 1) return { calls: [call("Read")] };
        const entry = expectMail(turn, "theo", /done/);
        expectText(turn, "Note to all");
        expectThat(resultObject(turn.incoming.results[0]!)["success"] === true, "success", "failure");
        return JSON.stringify([
          entry.summary,
          entry.color,
          turn.incoming.mail.map((one) => [one.from, one.content.kind, one.verified]),
          turn.incoming.notes,
        ]);
      }),
    );
    const reply = await nora.say("go");
    const content = [
      resultOf(reply[0], '{"success": true}'),
      { type: "text", text: mail },
      { type: "text", text: "Note to all" },
    ];
    expect(JSON.parse(String(texts(await nora.say(content))[0]))).toEqual([
      'He said "done" & left',
      "green",
      [
        ["theo", "message", true],
        ["system", "teammate_terminated", true],
        ["team-lead", "message", false],
      ],
      ["Note to all"],
    ]);
  });

  it("keep quotes in one line and short", async () => {
    const nora = await talk(steps([(turn) => expectText(turn, "wanted")]));
    await expect(nora.say(`first\n\n${"long ".repeat(500)}last`)).rejects.toThrow(
      /came "first long.{200,300} … .*last"\.$/,
    );
  });
});

describe("reading a request", () => {
  it("takes everything behind the newest reply", () => {
    const incoming = readIncoming([
      { role: "user", content: "old" },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Read", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "a" }] }] },
      { role: "user", content: "new" },
    ]);
    expect(incoming).toEqual({
      results: [{ id: "t1", name: "Read", text: "a", isError: false }],
      mail: [],
      notes: ["new"],
      state: "",
      text: "new",
    });
  });
});

describe("text about the state of things", () => {
  const state = (text: string) => ({ type: "text", text: `<team-state>\n${text}\n</team-state>` });

  it("is kept apart from what was said, and does not make a repeated request a new one", async () => {
    const nora = await talk(steps([(turn) => `${turn.incoming.text} in ${turn.incoming.state.length > 0}`]));
    expect(texts(await nora.say([{ type: "text", text: "Hello" }, state("one")]))).toEqual(["Hello in true"]);
    nora.messages.splice(-2);
    expect(texts(await nora.say([{ type: "text", text: "Hello" }, state("two")]))).toEqual(["Hello in true"]);
  });
});

describe("a conversation that does not go straight on", () => {
  const counting = () => {
    let replies = 0;
    const script = steps([], () => {
      replies += 1;
      return `Reply ${replies}`;
    });
    return { script, replies: () => replies };
  };

  it("gets the same reply again for the same request", async () => {
    const { script, replies } = counting();
    const nora = await talk(script);
    await nora.say("a");
    nora.messages.splice(-2);
    expect(texts(await nora.say("a"))).toEqual(["Reply 1"]);
    expect(replies()).toBe(1);
  });

  it("goes on where a reply was lost and other words came", async () => {
    const nora = await talk(steps(["One.", (turn) => `Two, for ${turn.incoming.text}`, "Three."]));
    await nora.say("a");
    await nora.say("b");
    nora.messages.splice(-2);
    expect(texts(await nora.say("c"))).toEqual(["Three."]);
  });

  it("begins anew with a conversation without replies: the member was started again", async () => {
    const server = await serve(steps(["One.", "Two."]));
    const first = converse(server.url);
    await first.say("a");
    await first.say("b");
    expect(texts(await converse(server.url).say("c"))).toEqual(["One."]);
  });

  it("goes on with a new server: the script is replayed from the conversation, without waits and with its effects", async () => {
    const script = (effects: string[]): MemberScript =>
      async function* (first) {
        let turn = first;
        for (;;) {
          effects.push(`${turn.step}${turn.replay ? " again" : ""}: ${turn.incoming.text}`);
          turn = yield { text: `Reply ${turn.step}`, delivered: () => effects.push("sent") };
        }
      };
    const before: string[] = [];
    const old = await serve(script(before));
    const nora = converse(old.url);
    await nora.say("a");
    await nora.say("b");
    await expect.poll(() => before).toEqual(["1: a", "sent", "2: b", "sent"]);

    const after: string[] = [];
    const anew = converse((await serve(script(after))).url);
    anew.messages.push(...nora.messages);
    expect(texts(await anew.say("c"))).toEqual(["Reply 3"]);
    await expect.poll(() => after).toEqual(["1 again: a", "sent", "2 again: b", "sent", "3: c", "sent"]);
  });

  it("answers members beside each other, and the requests of one in order", async () => {
    const gate = Promise.withResolvers<void>();
    const server = await startMessagesServer(
      scriptedTeam({
        nora: always(async () => {
          await gate.promise;
          return "Late.";
        }),
        theo: always(() => {
          gate.resolve();
          return "Now.";
        }),
      }),
    );
    servers.push(server);
    const nora = converse(server.url, { system: "Your name: nora" }).say("a");
    expect(
      texts(await converse(server.url, { system: [{ type: "text", text: "Hi.\nYour name: theo\n" }] }).say("b")),
    ).toEqual(["Now."]);
    expect(texts(await nora)).toEqual(["Late."]);
  });
});
