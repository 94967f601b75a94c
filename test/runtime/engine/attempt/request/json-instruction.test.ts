import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const config = { responseMimeType: 'application/json' };
const said = { role: 'user', content: 'Three colours.' };

/** Returns the messages that OpenAI gets for a request in Gemini's format. */
const messagesFor = async (text: string, generationConfig: JsonObject) => {
  const { handle, upstreams } = runConfig(
    { provider: 'openai', api_key: '${env:KEY}' },
    { upstream: () => stubAnswer({}) },
  );
  const route = { operation: 'converse', dialect: 'gemini', model: 'm', stream: false } as const;
  await handle(sampleExchange({ contents: [{ role: 'user', parts: [{ text }] }], generationConfig }, { route }));
  const body = upstreams.requests[0]?.body;
  return JSON.parse(body?.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '').messages;
};

it('adds an instruction to answer in JSON if a request for any JSON does not mention it', async () => {
  expect(await messagesFor('Three colours.', config)).toEqual([{ role: 'system', content: 'Answer in JSON.' }, said]);
});

it.each<[string, string, JsonObject]>([
  ['mentions JSON', 'Three colours as json.', config],
  ['has a schema', 'Three colours.', { ...config, responseSchema: { type: 'ARRAY', items: { type: 'STRING' } } }],
  ['requests a text', 'Three colours.', {}],
])('a request that %s is sent as it is', async (_, text, generationConfig) => {
  expect(await messagesFor(text, generationConfig)).toEqual([{ role: 'user', content: text }]);
});
