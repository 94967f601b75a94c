import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { runConfig, toJson } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { anthropicAnswer } from '../../../support/vendors/anthropic-wire.ts';
import { openaiAnswer } from '../../../support/vendors/openai-wire.ts';

/** Returns what a provider receives of a request, and its client of the answer, in the dialect of both. */
const through = async (dialect: 'chat' | 'messages', config: object, body: object) => {
  const provider = dialect === 'chat' ? 'openai' : 'anthropic';
  const answer = dialect === 'chat' ? openaiAnswer : anthropicAnswer;
  const running = runConfig(JSON.parse(JSON.stringify({ provider, api_key: '${env:KEY}', ...config })), {
    upstream: () => stubAnswer(answer({ text: 'Call 555-1234 or 555-9876.' })),
  });
  const exchange = sampleExchange(JSON.parse(JSON.stringify(body)), { route: { operation: 'converse', dialect } });
  const response = await running.handle(exchange);
  const [sent] = running.upstreams.requests;
  return {
    status: response.status,
    answer: toJson(response) as JsonObject,
    sent: sent?.body.kind === 'bytes' ? JSON.parse(Buffer.from(sent.body.bytes).toString()) : undefined,
  };
};

describe.each(['chat', 'messages'] as const)('in %s', (dialect) => {
  const ask = (content: unknown): object => ({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] });

  it('default.regexReplace changes what the provider and the client receive', async () => {
    const rule = { regexReplace: { rule: '/\\d{3}-\\d{4}/g', redactText: '[PHONE]' } };
    const config = { input_guardrails: [rule], output_guardrails: [rule] };
    const { status, sent, answer } = await through(dialect, config, ask('I am 555-0000, 555-0001.'));
    expect(status).toBe(200);
    expect(sent.messages[0].content).toBe('I am [PHONE], [PHONE].');
    expect(JSON.stringify(answer)).toContain('Call [PHONE] or [PHONE].');
    expect(answer).toMatchObject({
      hook_results: { before_request_hooks: [{ transformed: true }], after_request_hooks: [{ transformed: true }] },
    });
  });

  it('default.addPrefix adds its prefix to the text that the provider receives', async () => {
    const config = { input_guardrails: [{ addPrefix: { prefix: 'In brief: ' } }] };
    const text = { type: 'text', text: 'Why?' };
    const { sent } = await through(dialect, config, ask([text]));
    expect(sent.messages[0].content).toEqual([{ type: 'text', text: 'In brief: Why?' }]);
  });

  it('default.addPrefix keeps instructions and earlier turns, while default.regexReplace changes them', async () => {
    const config = {
      input_guardrails: [{ addPrefix: { prefix: 'In brief: ' }, regexReplace: { rule: '/\\d+/g', redactText: '#' } }],
    };
    const { sent } = await through(dialect, config, {
      model: 'm',
      max_tokens: 9,
      ...(dialect === 'messages' ? { system: 'S1' } : {}),
      messages: [
        ...(dialect === 'chat' ? [{ role: 'system', content: 'S1' }] : []),
        { role: 'user', content: 'one 1' },
        { role: 'assistant', content: 'two 2' },
        { role: 'user', content: 'three 3' },
      ],
    });
    expect(JSON.stringify(sent)).toContain('S#');
    expect(sent.messages.slice(-3)).toEqual([
      { role: 'user', content: 'one #' },
      { role: 'assistant', content: 'two #' },
      { role: 'user', content: 'In brief: three #' },
    ]);
  });

  it('default.addPrefix adds instructions if there are none', async () => {
    const config = { input_guardrails: [{ addPrefix: { prefix: 'Be kind.', applyToRole: 'system' } }] };
    const { sent } = await through(dialect, config, ask('Why?'));
    if (dialect === 'chat') expect(sent.messages[0]).toEqual({ role: 'system', content: 'Be kind.' });
    else expect(sent.system).toBe('Be kind.');
  });
});
