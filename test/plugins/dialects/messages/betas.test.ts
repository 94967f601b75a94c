import { describe, expect, it } from 'vitest';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { chatCodec, here } from '../support/codecs.ts';

const chat = (members: JsonObject): JsonObject => ({
  model: 'claude-opus-5',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
  ...members,
});

describe('anthropic_beta in the body of a chat request', () => {
  const write = (betas: JsonObject['anthropic_beta'] = null) => {
    const conversation = chatCodec.decodeRequest(chat({ anthropic_beta: betas }), here);
    const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };
    return messages.conversation?.encodeRequest(conversation, target) ?? expect.unreachable();
  };

  it.each([['context-1m-2025-08-07, mcp-client-2025-04-04'], [['context-1m-2025-08-07', 'mcp-client-2025-04-04']]])(
    'becomes the header of a messages request: %j',
    (betas) => {
      const { body, headers, lost } = write(betas);
      expect(headers).toEqual(['anthropic-beta', 'context-1m-2025-08-07,mcp-client-2025-04-04']);
      expect(body).not.toHaveProperty('anthropic_beta');
      expect(lost).toEqual([]);
    },
  );

  it.each([[['a', 5]], ['a\r\nx-api-key: b'], ['a b'], [[]], [{ a: 'b' }]])(
    'is lost if it is not a list of names: %j',
    (betas) => {
      const { headers, lost } = write(betas);
      expect(headers).toBeUndefined();
      expect(lost).toEqual(['extensions.chat.anthropic_beta']);
    },
  );
});

it('sends anthropic_beta to Anthropic instead of the header, unless a config forwards the header', async () => {
  const body = chat({ anthropic_beta: ['a-2025-01-01'] });
  for (const [forward, headers, expected] of [
    [[], [], 'a-2025-01-01'],
    [[], ['anthropic-beta', 'b-2025-01-01'], 'a-2025-01-01'],
    [['anthropic-beta'], ['anthropic-beta', 'b-2025-01-01'], 'b-2025-01-01'],
  ] as const) {
    const { handle, upstreams } = runConfig(
      { provider: 'anthropic', api_key: '${env:KEY}', forward_headers: [...forward] },
      { upstream: () => stubAnswer({ type: 'message', role: 'assistant', content: [], stop_reason: 'end_turn' }) },
    );
    const exchange = sampleExchange(body);
    await handle({ ...exchange, request: { ...exchange.request, headers } });
    const sent = upstreams.requests.at(-1)?.headers ?? [];
    expect(sent.filter((_, at) => at % 2 === 1 && sent[at - 1]?.toLowerCase() === 'anthropic-beta')).toEqual([
      expected,
    ]);
  }
});
