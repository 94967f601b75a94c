import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { anthropicAnswer } from '../../support/vendors/anthropic-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

const converseAnswer = {
  output: { message: { role: 'assistant', content: [{ text: 'Hi.' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
};

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream()]);
  upstream.handle((call) =>
    call.json(call.request.path.endsWith('/converse') ? converseAnswer : anthropicAnswer({ text: 'Hi.' })),
  );
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const targets: Readonly<Record<string, JsonObject>> = {
  anthropic: { provider: 'anthropic', api_key: 'k' },
  'vertex-ai': { provider: 'vertex-ai', api_key: 'k', cloudb_project_id: 'acme', cloudb_region: 'europe-west4' },
  bedrock: { provider: 'bedrock', api_key: 'k', cloudc_region: 'us-east-1' },
};

/** Returns the limit that the provider receives. */
const limitAt = async (target: string, body: { model: string; max_output_tokens?: number }): Promise<unknown> => {
  const config = JSON.stringify({ ...targets[target], custom_host: upstream.origin });
  const client = new OpenAI({
    baseURL: gateway.baseUrl,
    apiKey: 'not-sent',
    maxRetries: 0,
    defaultHeaders: { 'x-gw-config': config },
  });
  const { response } = await client.responses.create({ ...body, input: 'Hi', store: false }).withResponse();
  expect(response.headers.get('x-gw-dropped-params') ?? '').not.toContain('max');
  const sent = JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '{}');
  return sent.max_tokens ?? sent.inferenceConfig?.maxTokens;
};

/** https://platform.claude.com/docs/en/about-claude/models/overview */
describe('the token limit of an answer', () => {
  it.each<[string, string, number]>([
    ['anthropic', 'claude-opus-5-5', 128_000],
    ['anthropic', 'claude-haiku-5-5', 128_000],
    ['anthropic', 'claude-fable-5-1', 128_000],
    ['anthropic', 'claude-sonnet-4-6', 128_000],
    ['anthropic', 'claude-haiku-4-5-20251001', 64_000],
    ['anthropic', 'claude-sonnet-4-20250514', 64_000],
    ['anthropic', 'claude-opus-4-1-20250805', 32_000],
    ['anthropic', 'claude-opus-4-20250514', 32_000],
    ['anthropic', 'claude-3-5-haiku-latest', 8192],
    ['anthropic', 'claude-3-haiku-20240307', 4096],
    ['anthropic', 'claude-of-tomorrow', 8192],
    ['vertex-ai', 'anthropic.claude-haiku-4-5@20251001', 64_000],
    ['bedrock', 'anthropic.claude-haiku-4-5-20251001-v1:0', 64_000],
    ['bedrock', 'eu.anthropic.claude-opus-4-6-v1', 128_000],
  ])('is by default the highest that %s allows for %s', async (target, model, limit) => {
    expect(await limitAt(target, { model })).toBe(limit);
  });

  it.each(['anthropic', 'bedrock'])('stays unchanged if the client sends one, at %s', async (target) => {
    const model = 'anthropic.claude-haiku-4-5-20251001-v1:0';
    expect(await limitAt(target, { model, max_output_tokens: 77 })).toBe(77);
  });

  it('is left to Bedrock for models other than Claude', async () => {
    expect(await limitAt('bedrock', { model: 'amazon.nova-pro-v1:0' })).toBeUndefined();
  });
});
