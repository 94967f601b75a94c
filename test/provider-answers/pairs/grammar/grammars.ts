import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { requireChat, requireChatStream } from './chat.ts';
import { requireCohere, requireCohereStream } from './cohere.ts';
import { requireConverse, requireConverseStream } from './converse.ts';
import { requireGemini, requireGeminiStream } from './gemini.ts';
import { requireMessage, requireMessageStream } from './messages.ts';
import { requireResponse, requireResponseStream } from './responses.ts';

/** What the documentation of a format requires of answers: written without the codecs. Both throw if something is wrong. */
interface Grammar {
  readonly whole: (body: JsonObject, isStrict: boolean) => void;
  readonly stream: (frames: readonly Frame[], isStrict: boolean) => void;
}

/** The grammar of each dialect with conversations. */
export const grammars: Readonly<Record<string, Grammar>> = {
  chat: { whole: requireChat, stream: requireChatStream },
  messages: { whole: requireMessage, stream: requireMessageStream },
  responses: { whole: requireResponse, stream: requireResponseStream },
  gemini: { whole: requireGemini, stream: requireGeminiStream },
  converse: { whole: requireConverse, stream: requireConverseStream },
  cohere: { whole: requireCohere, stream: requireCohereStream },
};
