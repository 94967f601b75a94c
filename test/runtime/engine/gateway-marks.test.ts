import { describe, expect, it } from 'vitest';
import type { Route } from '../../../plugins/sdk/exchange/exchange.ts';
import { headerValue } from '../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { runConfig } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../support/in-process/stub-upstreams.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Road {
  readonly dialect: string;
  readonly provider: JsonObject;
  /** Returns a request whose earlier turn contains this mark. */
  body(mark: JsonObject): JsonObject;
  readonly marks: readonly (readonly [what: string, mark: JsonObject, gone: string])[];
  readonly native: JsonObject;
}

const roads: readonly Road[] = [
  {
    dialect: 'gemini',
    provider: { provider: 'google', api_key: '${env:KEY}' },
    body: (mark) => ({
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts: [{ text: 'Oui.', ...mark }] },
        { role: 'user', parts: [{ text: 'and?' }] },
      ],
    }),
    marks: ['signature', 'thought', 'encrypted'].map((kind) => [
      `a ${kind}`,
      { thoughtSignature: base64(`${kind}.gw1.another.made-elsewhere`) },
      'thoughtSignature',
    ]),
    native: { thoughtSignature: base64('native') },
  },
  {
    dialect: 'converse',
    provider: { provider: 'bedrock', api_key: '${env:KEY}', cloudc_region: 'eu-central-1' },
    body: (mark) => ({
      messages: [
        { role: 'user', content: [{ text: 'hi' }] },
        { role: 'assistant', content: [{ reasoningContent: mark }, { text: 'Oui.' }] },
        { role: 'user', content: [{ text: 'and?' }] },
      ],
    }),
    marks: [
      ['a signature', { reasoningText: { text: 'Hm.', signature: 'gw1.another.made-elsewhere' } }, 'gw1.'],
      ['redacted reasoning', { redactedContent: base64('gw1.another.made-elsewhere') }, 'redactedContent'],
    ],
    native: { redactedContent: base64('native') },
  },
  {
    dialect: 'messages',
    provider: { provider: 'anthropic', api_key: '${env:KEY}' },
    body: (mark) => ({
      model: 'm',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', ...mark },
            { type: 'text', text: 'Oui.' },
          ],
        },
        { role: 'user', content: 'and?' },
      ],
    }),
    marks: [['thinking without a signature', { signature: '' }, 'thinking']],
    native: { signature: 'native' },
  },
  {
    dialect: 'chat',
    provider: { provider: 'openai', api_key: '${env:KEY}' },
    body: (mark) => ({
      model: 'm',
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Oui.', ...mark },
        { role: 'user', content: 'and?' },
      ],
    }),
    marks: [['content blocks', { content_blocks: [{ type: 'text', text: 'Oui.' }] }, 'content_blocks']],
    native: { name: 'native' },
  },
];

const send = async ({ dialect, provider }: Road, text: string) => {
  const { handle, upstreams } = runConfig(provider, { upstream: () => stubAnswer({}) });
  const route: Route = { operation: 'converse', dialect, model: 'm' };
  const body = { kind: 'bytes', bytes: Buffer.from(text) } as const;
  const response = await handle(
    sampleExchange(JSON.parse(text), { route, request: { method: 'POST', path: '/m', headers: [], body } }),
  );
  const sent = upstreams.requests[0]?.body;
  return {
    sent: sent?.kind === 'bytes' ? Buffer.from(sent.bytes).toString() : '',
    dropped: headerValue(response.headers, 'x-gw-dropped-params'),
  };
};

describe.each(roads)('a request of $dialect to a provider of the same dialect', (road) => {
  it.each(road.marks)('is sent without %s of another service', async (_, mark, gone) => {
    const { sent } = await send(road, JSON.stringify(road.body(mark)));
    expect(sent).toContain('Oui.');
    expect(sent).not.toContain(gone);
  });

  it('is sent unchanged with a mark of its own service', async () => {
    const text = JSON.stringify(road.body(road.native), null, 1);
    expect(await send(road, text)).toEqual({ sent: text, dropped: undefined });
  });
});
