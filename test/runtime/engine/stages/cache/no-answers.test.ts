import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../../plugins/sdk/exchange/exchange.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

type Route = Exchange['route'];

const chat: Route = { operation: 'converse', dialect: 'chat' };
const messages: Route = { operation: 'converse', dialect: 'messages' };
const responses: Route = { operation: 'converse', dialect: 'responses' };
const embeddings: Route = { operation: 'embed', dialect: 'embeddings' };

const response = (status: string): JsonObject => ({ id: 'r', object: 'response', status, error: null, output: [] });

/** Bodies that arrived with a 200. */
const bodies: readonly (readonly [what: string, provider: string, route: Route, body: object])[] = [
  ['an error', 'openai', chat, { error: { message: 'Overloaded.' } }],
  ['an error as a text', 'openai', chat, { error: 'Overloaded.', choices: [] }],
  ['an error of another kind', 'openai', chat, { object: 'error', message: 'Overloaded.' }],
  ['an answer without choices', 'openai', chat, { choices: [] }],
  ['an empty object', 'openai', chat, {}],
  ['an error in the messages dialect', 'anthropic', messages, { type: 'error', error: { message: 'Overloaded.' } }],
  ['an error in place of embeddings', 'openai', embeddings, { object: 'error', message: 'Overloaded.' }],
  ['a response that is queued', 'openai', responses, response('queued')],
  ['a response that is in progress', 'openai', responses, response('in_progress')],
  ['a response that failed', 'openai', responses, response('failed')],
];

const readCalls = async (provider: string, route: Route, body: object): Promise<number> => {
  const running = runConfig(
    { provider, api_key: '${env:KEY}', cache: { mode: 'simple' } },
    { upstream: () => stubAnswer(body) },
  );
  const params = { model: 'm', max_tokens: 9, input: 'hi', messages: [{ role: 'user', content: 'hi' }] };
  for (let call = 0; call < 2; call += 1)
    expect((await running.handle(sampleExchange(params, { route, trail: [] }))).status).toBe(200);
  return running.upstreams.requests.length;
};

describe('a 200 that is not an answer', () => {
  it.each(bodies)('is not stored: %s', async (_what, provider, route, body) => {
    expect(await readCalls(provider, route, body)).toBe(2);
  });

  it('does not include an answer that reports why it was cut, or that there is no error', async () => {
    const choices = [{ message: { content: 'h' }, finish_reason: 'length' }];
    expect(await readCalls('openai', chat, { choices, error: null })).toBe(1);
    expect(await readCalls('openai', responses, response('incomplete'))).toBe(1);
    expect(await readCalls('openai', embeddings, { object: 'list', data: [{ embedding: [1] }] })).toBe(1);
  });
});

describe('a request that continues what its provider keeps and changes', () => {
  const readRequests = async (more: JsonObject): Promise<number> => {
    const running = runConfig(
      { provider: 'openai', api_key: '${env:KEY}', cache: { mode: 'simple' } },
      { upstream: () => stubAnswer(response('completed')) },
    );
    for (let call = 0; call < 2; call += 1)
      await running.handle(sampleExchange({ model: 'm', input: 'Go on.', ...more }, { route: responses, trail: [] }));
    return running.upstreams.requests.length;
  };

  it.each([{ conversation: 'conv_1' }, { conversation: { id: 'conv_1' } }, { container: 'c_1' }])(
    'is never answered from the cache: %j',
    async (more) => {
      expect(await readRequests(more)).toBe(2);
    },
  );

  it.each([
    { conversation: null },
    { input: 'What does "conversation" mean?' },
    { metadata: { conversation: 'c', container: 'd' } },
    { previous_response_id: 'resp_1' },
  ])('does not include one that only contains such a name, or names what does not change: %j', async (more) => {
    expect(await readRequests(more)).toBe(1);
  });
});
