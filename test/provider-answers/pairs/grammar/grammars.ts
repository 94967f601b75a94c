import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { requireChat, requireChatStream } from './chat.ts';
import { requireCohere, requireCohereStream } from './cohere.ts';
import { requireCompletion, requireCompletionStream } from './completions.ts';
import { requireConverse, requireConverseStream } from './converse.ts';
import { requireGemini, requireGeminiStream } from './gemini.ts';
import { requireMessage, requireMessageStream } from './messages.ts';
import { requireResponse, requireResponseStream } from './responses.ts';

/** What the documentation of a format requires of answers: written without the codecs. Both throw if something is wrong. */
interface Grammar {
  readonly whole: (body: JsonObject, isStrict: boolean) => void;
  readonly stream: (frames: readonly Frame[], isStrict: boolean) => void;
}

/** The grammar of each dialect whose clients get answers of conversations. */
export const grammars: Readonly<Record<string, Grammar>> = {
  chat: { whole: requireChat, stream: requireChatStream },
  messages: { whole: requireMessage, stream: requireMessageStream },
  responses: { whole: requireResponse, stream: requireResponseStream },
  gemini: { whole: requireGemini, stream: requireGeminiStream },
  converse: { whole: requireConverse, stream: requireConverseStream },
  completions: { whole: requireCompletion, stream: requireCompletionStream },
  cohere: { whole: requireCohere, stream: requireCohereStream },
};
