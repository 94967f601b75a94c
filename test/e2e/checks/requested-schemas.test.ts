import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream()]);
  upstream.handle((call) => call.json(openaiAnswer({ text: '{"city":"Graz"}' })));
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const format = { type: 'json_schema' as const, schema };

it.each<[string, JsonObject]>([
  ['output_config.format', { output_config: { format } }],
  ['output_format', { output_format: format }],
])("forwards to OpenAI the schema that Anthropic's client sends in %s", async (_, members) => {
  const client = new Anthropic({
    baseURL: gateway.origin,
    apiKey: 'not-sent',
    maxRetries: 0,
    defaultHeaders: {
      'x-gw-config': JSON.stringify({ provider: 'openai', api_key: 'k', custom_host: `${upstream.origin}/v1` }),
    },
  });
  const { response } = await client.messages
    .create({ model: 'gpt-5-mini', max_tokens: 100, messages: [{ role: 'user', content: 'Where?' }], ...members })
    .withResponse();
  expect(JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '{}')).toMatchObject({
    response_format: { type: 'json_schema', json_schema: { schema } },
  });
  expect(response.headers.get('x-gw-dropped-params')).not.toContain('extensions');
});
