import type { Intent } from "../src/protocol/intents.ts";
import type { HostMessage, MessagePart } from "../src/protocol/panelMessages.ts";

/** What a webview may ask of VS Code. `acquireVsCodeApi` can be called once only. */
interface VsCodeApi {
  readonly postMessage: (message: unknown) => void;
  readonly getState: () => unknown;
  readonly setState: (state: unknown) => void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** The extension host, as the webview sees it. The kept state survives hiding and reloading. */
export interface Host {
  readonly post: (intent: Intent) => void;
  readonly onMessage: (listener: (message: HostMessage) => void) => void;
  readonly load: () => unknown;
  readonly save: (state: unknown) => void;
}

/** Connects to the extension host. To be called once. */
export function connectHost(): Host {
  const api = acquireVsCodeApi();
  const whole = partsReader();
  return {
    post: (intent) => api.postMessage(intent),
    onMessage: (listener) => {
      addEventListener("message", (event: MessageEvent<unknown>) => {
        const message = whole(event.data);
        if (isHostMessage(message)) listener(message);
      });
    },
    load: () => api.getState(),
    save: (state) => api.setState(state),
  };
}

/** Gives back what came in one piece, and the whole of what came in parts with its last one; undefined before. */
function partsReader(): (data: unknown) => unknown {
  let texts: string[] = [];
  return (data) => {
    if (!isPart(data)) return data;
    if (data.index === 0) texts = [];
    if (data.index !== texts.length || texts.push(data.text) < data.count) return undefined;
    const text = texts.join("");
    texts = [];
    return JSON.parse(text);
  };
}

function isPart(data: unknown): data is MessagePart {
  return typeof data === "object" && data !== null && "type" in data && data.type === "part";
}

/** Other scripts of the webview's frame post messages too; only the host's are objects with one of our types. */
function isHostMessage(data: unknown): data is HostMessage {
  return (
    typeof data === "object" && data !== null && "type" in data && Object.hasOwn(HOST_MESSAGE_TYPES, String(data.type))
  );
}

/** Every type, or it does not compile. */
const HOST_MESSAGE_TYPES: Readonly<Record<HostMessage["type"], true>> = {
  state: true,
  tasks: true,
  taskRows: true,
  deletedTasks: true,
  threads: true,
  threadRows: true,
  threadPart: true,
  mail: true,
  conversation: true,
  found: true,
  files: true,
  activity: true,
  streaming: true,
  queued: true,
  ruleCheck: true,
  done: true,
  planDrafts: true,
  reveal: true,
};
