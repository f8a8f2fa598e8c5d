import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type WebEnvironment, webFetchTool } from "../../../../src/agent/tools/webFetch.ts";
import type { Authorization } from "../../../../src/agent/types.ts";
import { isPrivateHost } from "../../../../src/permission/webAddresses.ts";
import { textOf } from "../../../../src/protocol/transcript.ts";
import { openEngine } from "../../../support/permissionEngine.ts";

/** A web server on this machine, and the tool behind the real permission engine: what asks is denied. */
async function openWeb(answer: RequestListener, { allow = ["WebFetch(domain:127.0.0.1)"], ...more }: WebRules = {}) {
  const engine = openEngine();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.headers.host?.split(":")[0]}${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const asked: Record<string, unknown>[] = [];
  const decide = async (input: Record<string, unknown>): Promise<Authorization> => {
    asked.push(input);
    const { behavior, reason } = await engine.decide("WebFetch", input, { allow });
    return behavior === "allow" ? { allow: true } : { allow: false, reason: `${behavior}: ${reason}` };
  };
  const tool = webFetchTool({ isPrivateHost, ...more });
  return {
    requests,
    asked,
    base: `http://127.0.0.1:${port}`,
    port,
    /** As the loop runs it: first judged, then run. A refusal is its sentence behind "error: ". */
    async fetch(url: string, input: Record<string, unknown> = {}, signal = new AbortController().signal) {
      const first = await decide({ url });
      if (!first.allow) return `denied: ${first.reason}`;
      const context = { toolUseId: "tu_1", signal, authorize: more.authorize ?? decide };
      try {
        const output = await tool.run(tool.inputSchema.parse({ url, ...input }), context);
        return `${output.isError ? "error: " : ""}${textOf(output.content)}`;
      } catch (error) {
        return `error: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      engine[Symbol.dispose]();
    },
  };
}

interface WebRules extends Partial<WebEnvironment> {
  allow?: string[];
  authorize?: (input: Record<string, unknown>) => Promise<Authorization>;
}

function send(response: ServerResponse, body: string | Buffer, type = "text/html; charset=utf-8", more = {}): void {
  response.writeHead(200, { "content-type": type, ...more });
  response.end(body);
}

const redirect = (response: ServerResponse, location: string, status = 302): void => {
  response.writeHead(status, { location });
  response.end();
};

describe("a page", () => {
  it("becomes readable text: headings, links as whole addresses, tables, no scripts", async () => {
    const html = `<!doctype html><title>T</title><style>p{}</style><script>alert(1)</script>
      <h1>Retry</h1><p>Read <a href="/docs?a=1#top">the docs</a> &amp; <b>more</b>.</p><ul><li>one<li>two</ul>
      <table><tr><th>Name<th>Age</tr><tr><td>Ann<td>7</tr></table><img src="https://tracker.test/x" alt="pixel">
      <pre>a\n  b</pre>`;
    await using web = await openWeb((_, response) => send(response, html));
    const text = await web.fetch(`${web.base}/a`);
    expect(text).toContain(`${web.base}/a (200, text/html)`);
    expect(text).toContain("Retry");
    expect(text).toContain(`the docs [${web.base}/docs?a=1#top] & more.`);
    expect(text).toContain("* one");
    expect(text).toContain("Ann | 7 |");
    expect(text).toContain("a\n  b");
    for (const left of ["alert(1)", "p{}", "tracker.test"]) expect(text).not.toContain(left);
  });

  it("that is JSON or plain text is given as it stands", async () => {
    await using web = await openWeb(({ url }, response) =>
      url === "/j" ? send(response, '{"a":"<b>"}', "application/json") : send(response, "<b>raw</b>", "text/plain"),
    );
    expect(await web.fetch(`${web.base}/j`)).toContain('{"a":"<b>"}');
    expect(await web.fetch(`${web.base}/t`)).toContain("<b>raw</b>");
  });

  it("is read in parts", async () => {
    await using web = await openWeb((_, response) => send(response, "0123456789".repeat(6_000), "text/plain"));
    expect(await web.fetch(web.base)).toContain("(Characters 0 to 50000 of 60000; read on with offset 50000.)");
    const rest = await web.fetch(web.base, { offset: 59_995 });
    expect(rest).toContain("\n56789");
    expect(rest).not.toContain("read on");
    expect(await web.fetch(web.base, { offset: 60_000 })).toContain("there is nothing at 60000");
  });

  it("that the server does not have is an error with what it said", async () => {
    await using web = await openWeb((_, response) => {
      response.writeHead(404, { "content-type": "text/html" });
      response.end("<h1>No such page</h1>");
    });
    expect(await web.fetch(web.base)).toMatch(
      /^error: The server answered with .* \(404, text\/html\)\n\nNo such page$/,
    );
  });

  it("is asked for without cookies, credentials or a body, and packed content is unpacked", async () => {
    const seen: IncomingMessage["headers"][] = [];
    await using web = await openWeb(({ headers, url }, response) => {
      seen.push(headers);
      const packed = url === "/gz" ? gzipSync("packed") : brotliCompressSync("packed");
      send(response, packed, "text/plain", {
        "content-encoding": url === "/gz" ? "gzip" : "br",
        "set-cookie": "session=1",
      });
    });
    expect(await web.fetch(`${web.base}/gz`)).toContain("packed");
    expect(await web.fetch(`${web.base}/br`)).toContain("packed");
    expect(seen.map(({ cookie, authorization, referer }) => [cookie, authorization, referer])).toEqual([
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
  });
});

describe("an encoding", () => {
  const cases: [string, string, Buffer, string][] = [
    ["of the header", "text/plain; charset=iso-8859-1", Buffer.from("Gr\xfc\xdfe", "latin1"), "Grüße"],
    ["of the page", "text/html", Buffer.from('<meta charset="shift_jis"><p>\x93\xfa\x96{', "latin1"), "日本"],
    ["that the bytes tell", "text/plain", Buffer.from("\uFEFFGrüße", "utf16le"), "Grüße"],
    ["in quotes", 'text/plain; charset="UTF-8"', Buffer.from("Grüße"), "Grüße"],
    [
      "that nobody knows",
      "text/plain; charset=klingon-7",
      Buffer.from("Grüße"),
      'The encoding "klingon-7" is not known',
    ],
    ["that is wrong", "text/plain; charset=utf-8", Buffer.from("Gr\xfc\xdfe", "latin1"), "Grüße"],
  ];
  it.each(cases)("%s is honoured", async (_, type, body, expected) => {
    await using web = await openWeb((_request, response) => send(response, body, type));
    const text = await web.fetch(web.base);
    expect(text).toContain(expected);
    if (type.includes("klingon")) expect(text).toContain("Grüße");
  });
});

describe("what cannot be read as text is refused in one sentence", () => {
  it.each([
    ["image/png", Buffer.from([0x89, 0x50, 0, 1]), "is no text but image/png"],
    ["application/pdf", Buffer.from("%PDF"), "is no text but application/pdf"],
    ["text/html", Buffer.from([0, 1, 2, 3, 0, 0]), "is binary"],
    ["text/plain; charset=windows-1252", Buffer.from([0, 1, 2, 3, 0, 0]), "is binary"],
    ["", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]), "is binary"],
  ])("%s", async (type, body, sentence) => {
    await using web = await openWeb((_, response) => send(response, body, type));
    const text = await web.fetch(web.base);
    expect(text).toMatch(/^error: /);
    expect(text).toContain(sentence);
  });

  it("content that is packed in an unknown way, or broken", async () => {
    await using web = await openWeb(({ url }, response) =>
      send(response, url === "/x" ? "x" : gzipSync("whole text").subarray(0, 15), "text/plain", {
        "content-encoding": url === "/x" ? "zstd-7" : "gzip",
      }),
    );
    expect(await web.fetch(`${web.base}/x`)).toContain("packed as zstd-7");
    expect(await web.fetch(`${web.base}/gz`)).toMatch(/^error: .*cannot be fetched/);
  });
});

describe("the bounds", () => {
  it("a body without end is read up to the bound, and the server is hung up on", async () => {
    let sent = 0;
    const hungUp = Promise.withResolvers<void>();
    await using web = await openWeb((_, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536))) sent += 65_536;
      };
      response.on("drain", more).on("close", hungUp.resolve);
      more();
    });
    expect(await web.fetch(web.base)).toContain("only its first 2097152 bytes were read");
    await hungUp.promise;
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it("little that unpacks to much is cut at the same bound", async () => {
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, "a"));
    await using web = await openWeb((_, response) =>
      send(response, bomb, "text/plain", { "content-encoding": "gzip" }),
    );
    expect(await web.fetch(web.base)).toContain("only its first 2097152 bytes were read");
  });

  it("a body that drips, a server that never answers, and headers without end are given up", async () => {
    const timers: NodeJS.Timeout[] = [];
    await using web = await openWeb(
      ({ url }, response) => {
        if (url === "/silent") return;
        response.writeHead(200, { "content-type": "text/plain" });
        timers.push(setInterval(() => response.write("."), 20));
      },
      { timeoutMs: 300 },
    );
    const sentence = "did not answer in full within 0.3 seconds";
    expect(await web.fetch(`${web.base}/drip`)).toContain(sentence);
    expect(await web.fetch(`${web.base}/silent`)).toContain(sentence);
    for (const timer of timers) clearInterval(timer);
  });

  it("headers without end are refused", async () => {
    await using web = await openWeb((_, response) => {
      response.setHeader("x", Array<string>(20).fill("y".repeat(8_000)));
      send(response, "text");
    });
    expect(await web.fetch(web.base)).toMatch(/^error: .*cannot be fetched/);
  });

  it("elements that lie too deep in each other are left out, and do not take long", async () => {
    const deep = `<p>top</p>${"<div>".repeat(200_000)}bottom`;
    await using web = await openWeb((_, response) => send(response, deep));
    const text = await web.fetch(web.base);
    expect(text).toContain("top");
    expect(text).toContain("too deep");
    expect(text).not.toContain("bottom");
  });

  it("an interrupted run hangs up", async () => {
    const hungUp = Promise.withResolvers<void>();
    const abort = new AbortController();
    await using web = await openWeb((request) => {
      request.on("close", hungUp.resolve);
      abort.abort();
    });
    expect(await web.fetch(web.base, {}, abort.signal)).toBe("error: Aborted.");
    await hungUp.promise;
  });
});

describe("a redirect", () => {
  it("on the same host is followed, relative ones too; a circle ends", async () => {
    await using web = await openWeb(({ url }, response) => {
      if (url === "/a") redirect(response, "b/c?d", 301);
      else if (url === "/b/c?d") send(response, "<p>there");
      else redirect(response, "/circle", 307);
    });
    expect(await web.fetch(`${web.base}/a`)).toContain(`${web.base}/b/c?d (200, text/html)\n\nthere`);
    expect(web.asked).toEqual([{ url: `${web.base}/a` }]);
    expect(await web.fetch(`${web.base}/circle`)).toContain("redirected more than 5 times");
  });

  it("to another host, another port or other credentials is decided anew, before anything is sent there", async () => {
    await using other = await openWeb((_, response) => send(response, "secret"));
    const targets = [
      `http://localhost:${other.port}/`,
      `http://[::1]:${other.port}/`,
      "http://169.254.169.254/latest/meta-data/",
      "http://10.0.0.1/",
      `http://127.1:${other.port}/`,
      "http://metadata.google.internal/",
    ];
    await using web = await openWeb(({ url }, response) =>
      redirect(response, targets[Number(url?.slice(1))] ?? `http://user:pw@127.0.0.1:${web.port}/x`),
    );
    for (const [index, target] of targets.entries()) {
      const text = await web.fetch(`${web.base}/${index}`);
      expect(web.asked.at(-1), target).toEqual({ url: new URL(target).href });
      if (!target.includes("127.1"))
        expect(text, target).toMatch(/^error: The page leads to .* was not fetched\. ask: /);
    }
    expect(await web.fetch(`${web.base}/99`)).toContain("user name or password");
    expect(other.requests).toEqual(["127.0.0.1/"]); // the rule spells this host out, whatever the port
  });

  it("to anything but http and https goes nowhere", async () => {
    const targets = ["file:///etc/passwd", "ftp://127.0.0.1/", "javascript:1", "http://", "data:text/plain,x"];
    await using web = await openWeb(({ url }, response) => redirect(response, targets[Number(url?.slice(1))] ?? ""));
    for (const index of targets.keys())
      expect(await web.fetch(`${web.base}/${index}`)).toMatch(/^error: (Only http and https are|.* is not a web addr)/);
  });

  it("goes where the person changed it to", async () => {
    await using web = await openWeb(
      ({ url }, response) => (url === "/" ? redirect(response, "http://10.0.0.1/") : send(response, "<p>mine")),
      { authorize: async () => ({ allow: true, input: { url: `${web.base}/mine` } }) },
    );
    expect(await web.fetch(`${web.base}/`)).toContain("mine");
  });
});

describe("a public name that leads to this machine", () => {
  const rule = "WebFetch(domain:page.example.com)";
  const lookup = async () => ["127.0.0.1"];

  it("is decided anew with the address, and not fetched under a rule for the name or for all", async () => {
    for (const allow of [[rule], ["WebFetch(domain:*)"], ["WebFetch"], ["WebFetch(domain:*.example.com)"]]) {
      await using web = await openWeb((_, response) => send(response, "secret"), { allow, lookup });
      const url = `http://page.example.com:${web.port}/`;
      expect(await web.fetch(url)).toContain("page.example.com leads to 127.0.0.1, which is this machine");
      expect(web.asked.at(-1)).toEqual({ url, address: "127.0.0.1" });
      expect(web.requests).toEqual([]);
    }
  });

  it("is fetched where a rule spells the address out", async () => {
    const allow = [rule, "WebFetch(domain:127.0.0.1)"];
    await using web = await openWeb((_, response) => send(response, "<p>mine"), { allow, lookup });
    expect(await web.fetch(`http://page.example.com:${web.port}/`)).toContain("mine");
    expect(web.requests).toEqual(["page.example.com/"]);
  });

  it("cannot change its address behind the decision: a name is resolved once in a call", async () => {
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    let lookups = 0;
    const rebinding = async () => answers[lookups++] ?? [];
    const allow = [rule, "WebFetch(domain:127.0.0.1)"];
    await using web = await openWeb(
      ({ url }, response) => (url === "/" ? redirect(response, "/again") : send(response, "<p>same place")),
      { allow, lookup: rebinding },
    );
    expect(await web.fetch(`http://page.example.com:${web.port}/`)).toContain("same place");
    expect(lookups).toBe(1);
    expect(web.requests).toEqual(["page.example.com/", "page.example.com/again"]);
  });

  it("is found out when only one of its addresses is private", async () => {
    await using web = await openWeb((_, response) => send(response, "secret"), {
      allow: [rule],
      lookup: async () => ["93.184.216.34", "::ffff:127.0.0.1"],
    });
    expect(await web.fetch(`http://page.example.com:${web.port}/`)).toContain("leads to ::ffff:127.0.0.1");
  });

  it("is not connected to where the resolver gives no address", async () => {
    await using web = await openWeb((_, response) => send(response, "secret"), {
      allow: [rule],
      lookup: async () => ["not an address"],
    });
    expect(await web.fetch(`http://page.example.com:${web.port}/`)).toContain("has no address");
  });
});

it("the next address is tried where one takes no connection", async () => {
  await using web = await openWeb((_, response) => send(response, "<p>here"), {
    allow: ["WebFetch(domain:page.example.com)", "WebFetch(domain:127.0.0.2)"],
    lookup: async () => ["127.0.0.2", "127.0.0.1"],
  });
  expect(await web.fetch(`http://page.example.com:${web.port}/`)).toContain("here");
});

it("a server that cannot be reached is one sentence", async () => {
  let base = "";
  {
    await using web = await openWeb(() => {});
    base = web.base;
  }
  await using web = await openWeb(() => {});
  expect(await web.fetch(base)).toMatch(/^error: http:.* cannot be fetched: .*ECONNREFUSED/);
});
