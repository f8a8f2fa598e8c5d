import { BaseAnthropic, type ClientOptions } from "@anthropic-ai/sdk/client";
import { Messages } from "@anthropic-ai/sdk/resources/messages/messages";

/** The Messages API of the SDK, without all its other APIs: these would be loaded, and kept, for nothing. */
export function createMessages(options: ClientOptions): Messages {
  return new Messages(new BaseAnthropic(options));
}
