import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { mayStream } from '../../plugins/sdk/exchange/may-stream.ts';
import type { Conversation } from '../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../schema/json/json.ts';

const text = 'Hello.';

const conversation: Conversation = {
  model: 'replay',
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text }] }],
  tools: [],
  sampling: { maxTokens: 16 },
  stream: false,
  extensions: {},
};

const target = { provider: 'replay', strict: true, drop: new Set<string>(), scope: '' } as const;

/** A valid body in a dialect, for scripts without one; without a codec, that of embeddings and text completions. */
export const plainRequest = (dialect: Dialect | undefined, stream: boolean): JsonObject => {
  const encoded = dialect?.conversation?.encodeRequest({ ...conversation, stream }, target);
  if (encoded !== undefined) return encoded.body;
  const isStream = stream && mayStream(dialect?.operation ?? 'opaque');
  return { model: 'replay', prompt: text, input: text, ...(isStream ? { stream } : {}) };
};
