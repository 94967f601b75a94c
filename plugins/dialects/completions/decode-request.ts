import type { Conversation } from '../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { decodeSampling } from '../chat/request/decode-sampling.ts';
import { defined } from '../shared/json/defined.ts';
import { Member } from '../shared/json/member.ts';

const id = 'completions';

/** The members that a conversation can express. All others are lost. */
const known: ReadonlySet<string> = new Set([
  ...['model', 'prompt', 'suffix', 'max_tokens', 'temperature', 'top_p', 'top_k', 'n', 'stop', 'seed'],
  ...['presence_penalty', 'frequency_penalty', 'stream', 'stream_options', 'user'],
]);

const readPrompt = (prompt: Member): string => {
  const [first = prompt, ...others] = Array.isArray(prompt.value) ? prompt.items() : [prompt];
  if (typeof first.value !== 'string')
    return first.fail('must be a text: only a provider of this format accepts token ids');
  if (others.length > 0) return prompt.fail('must be one text: only a provider of this format completes several');
  return first.value;
};

/** Rejects a suffix. A chat can continue a text, but cannot lead up to another text that follows. */
const refuseSuffix = (suffix: Member): void => {
  const text = suffix.maybeText() ?? '';
  if (text !== '') suffix.fail('must be empty: only a provider of this format can insert a text');
};

/** Whether a member asks for something that would not happen by default. */
const asks = (name: string, value: Json | undefined, count: number): boolean => {
  if (value === undefined || value === null || value === false) return false;
  return name !== 'best_of' || value !== count;
};

/**
 * Decodes a prompt as a message of the user: https://platform.openai.com/docs/api-reference/completions/create. Throws the
 * `GatewayError` `invalid-request`.
 */
export const decodeRequest = (body: JsonObject): Conversation => {
  const wire = new Member(id, '', body);
  refuseSuffix(wire.at('suffix'));
  const text = readPrompt(wire.at('prompt'));
  const sampling = decodeSampling(wire);
  const lost = Object.entries(body).filter(
    ([name, value]) => !known.has(name) && asks(name, value, sampling.count ?? 1),
  );
  return defined({
    model: wire.at('model').maybeText(),
    system: [],
    turns: [{ role: 'user' as const, parts: [{ kind: 'text' as const, text }] }],
    tools: [],
    sampling,
    stream: wire.at('stream').maybeBoolean() ?? false,
    streamUsage: wire.at('stream_options').at('include_usage').maybeBoolean(),
    user: wire.at('user').maybeText(),
    extensions: lost.length > 0 ? { [id]: Object.fromEntries(lost) } : {},
  }) as Conversation;
};
