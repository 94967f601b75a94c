import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

const prices = {
  cohere: { '*': { input: 2.5, output: 10, cache_read: 1 } },
  openai: { '*': { input: 0.3, output: 0.5, cache_read: 0.075 } },
};

const answers = {
  cohere: {
    ...{
      id: 'c1',
      finish_reason: 'COMPLETE',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] },
    },
    usage: {
      billed_units: { input_tokens: 11, output_tokens: 6 },
      tokens: { input_tokens: 506, output_tokens: 8 },
      cached_tokens: 448,
    },
  },
  openai: {
    ...{ id: 'x1', object: 'chat.completion', created: 1, model: 'grok-3-mini' },
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
    usage: {
      ...{ prompt_tokens: 12, completion_tokens: 2, total_tokens: 334 },
      prompt_tokens_details: { cached_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 320 },
    },
  },
};

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream((call) =>
    call.json(call.request.path.includes('/v2/chat') ? answers.cohere : answers.openai),
  );
  gateway = await startGateway({ files: { 'gateway.json': { prices } } });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

it.each([
  // 11 tokens at 2.50 and 6 at 10 dollars per million: the billed tokens that Cohere reports.
  ['cohere', '', '0.0000875', { prompt_tokens: 506, completion_tokens: 8 }],
  // 10 tokens at 0.30, 2 at 0.075 and 322 at 0.50: the charge that xAI itself reports in its `cost_in_usd_ticks`.
  ['openai', '/v1', '0.00016415', { prompt_tokens: 12, completion_tokens: 2 }],
])('reports to a client of OpenAI what %s charges', async (provider, base, cost, usage) => {
  const config = JSON.stringify({ provider, api_key: 'mine', custom_host: `${upstream.origin}${base}` });
  const client = new OpenAI({
    ...{ apiKey: 'none', baseURL: gateway.baseUrl, maxRetries: 0 },
    defaultHeaders: { 'x-gw-config': config, 'x-gw-usage': 'true' },
  });
  const { data, response } = await client.chat.completions
    .create({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] })
    .withResponse();
  expect(data.usage).toMatchObject(usage);
  expect(response.headers.get('x-gw-cost')).toBe(cost);
});
