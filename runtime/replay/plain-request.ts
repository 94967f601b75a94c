import type { Dialect } from '../../plugins/sdk/dialect.ts';
import type { Conversation } from '../../schema/conversation.ts';
import type { JsonObject } from '../../schema/json.ts';

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

/** A valid body in a dialect, for scripts without one; without a codec, that of embeddings. */
export const plainRequest = (dialect: Dialect | undefined, stream: boolean): JsonObject =>
  dialect?.conversation?.encodeRequest({ ...conversation, stream }, target).body ?? { model: 'replay', input: text };
