import { describe, expect, it } from 'vitest';
import type { ConversationCodec } from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { chatCodec, converseCodec, messagesCodec, requestVia, responsesCodec } from '../../support/codecs.ts';

const marked = (type: string, ttl: string): JsonObject => ({
  type,
  text: 'Hi',
  prompt_cache_breakpoint: { mode: 'explicit', ttl },
});

const clients: readonly (readonly [string, ConversationCodec, (ttl: string) => JsonObject])[] = [
  ['chat', chatCodec, (ttl) => ({ messages: [{ role: 'user', content: [marked('text', ttl)] }] })],
  ['responses', responsesCodec, (ttl) => ({ input: [{ role: 'user', content: [marked('input_text', ttl)] }] })],
];

describe.each(clients)("the times of OpenAI's cache breakpoints in %s", (_, codec, ask) => {
  it.each([
    ['messages', messagesCodec, '"cache_control":{"type":"ephemeral"}'],
    ['converse', converseCodec, '"cachePoint":{"type":"default"}'],
  ])('are not sent in %s, which rejects them, and are losses unless they are the default', (_to, to, hint) => {
    const claude = 'anthropic.claude-opus-5-v1:0';
    const long = requestVia(codec, to, { model: claude, ...ask('12h') });
    expect(JSON.stringify(long.body)).toContain(hint);
    expect(long.lost).toContain('turns[0].parts[0].cache.ttl');
    const usual = requestVia(codec, to, { model: claude, ...ask('30m') });
    expect(JSON.stringify(usual.body)).toContain(hint);
    expect(usual.lost.join()).not.toContain('cache');
  });
});

it('sends every other time of a cache hint unchanged', () => {
  const cache_control = { type: 'ephemeral', ttl: '1h' };
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hi', cache_control }] }];
  const { body, lost } = requestVia(chatCodec, messagesCodec, { messages });
  expect(body).toMatchObject({ messages });
  expect(lost.join()).not.toContain('cache');
});
