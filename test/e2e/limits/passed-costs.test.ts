import { expect, it, onTestFinished, vi } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { readMetrics, toLines } from '../../support/gateways/read-metrics.ts';
import { adminKey, makeKey, type NewKey } from '../../support/gateways/stored-gateway.ts';
import { enoughOfDay } from '../../support/run/enough-of-day.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { makePolicy, saveTarget, serveLimited, toSum } from './support/limited-gateway.ts';

const image = {
  created: 1_790_000_000,
  data: [{ b64_json: 'iVBOR' }],
  usage: {
    ...{ total_tokens: 4180, input_tokens: 20, output_tokens: 4160 },
    input_tokens_details: { text_tokens: 20, image_tokens: 0 },
  },
};
/** 20 tokens at 5 dollars and 4,160 tokens at 40 dollars per million, in dollars. */
const imageCost = 0.1665;

interface Passing {
  readonly gateway: GatewayProcess;
  readonly key: NewKey;
}

/** A gateway before an upstream that generates images, speech and transcripts. */
const passing = async (): Promise<Passing> => {
  const upstream = await startUpstream(async (call) => {
    const { path } = call.request;
    if (path.endsWith('/audio/speech')) call.answer({ body: 'ID3', headers: { 'content-type': 'audio/mpeg' } });
    else if (path.endsWith('/images/generations')) {
      const { model } = JSON.parse(call.request.body.toString());
      call.json(model === 'gpt-image-1' ? image : { created: 1, data: [{ url: 'https://images.example/1' }] });
    } else call.json({ id: 'm1', results: [] });
  });
  onTestFinished(() => upstream.close());
  const priced = { 'tts-1': { input: 0, output: 0, request: 0.03 } };
  const gateway = await serveLimited(undefined, {
    files: { 'gateway.json': { prices: { openai: priced }, metrics: true } },
  });
  await saveTarget(gateway, { upstream });
  const key = await makeKey(gateway, 'passing');
  await enoughOfDay();
  return { gateway, key };
};

const post = async ({ gateway, key }: Passing, path: string, body: object): Promise<string> => {
  const answer = await fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-api-key': key.key, 'x-gw-provider': '@main' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status === 200) return '200';
  const { error, code = error?.code } = JSON.parse(text);
  return `${answer.status} ${code}`;
};

const speech = (model: string) => ['/audio/speech', { model, input: 'Good morning.', voice: 'alloy' }] as const;
const drawing = (model: string) => ['/images/generations', { model, prompt: 'A black square.' }] as const;
const ranking = ['/rerank', { model: 'ranker', query: 'a', documents: ['b'] }] as const;
const budget = { type: 'cost', credit_limit: 100 };

it('charges images by reported usage or else by a price per request, and reports what has no price', async () => {
  const world = await passing();
  const policy = await makePolicy(world.gateway, 'usage-limits', budget);
  expect(await post(world, ...drawing('gpt-image-1'))).toBe('200');
  await vi.waitFor(async () => expect(await toSum(world.gateway, policy)).toBeCloseTo(imageCost, 9), patience);
  expect(await post(world, ...speech('tts-1'))).toBe('200');
  await vi.waitFor(async () => expect(await toSum(world.gateway, policy)).toBeCloseTo(imageCost + 0.03, 9), patience);
  expect(world.gateway.printed()).not.toContain('past a limit of cost');
  // It has a price for tokens, but nothing reports the tokens of speech.
  expect(await post(world, ...speech('gpt-4o-mini-tts'))).toBe('200');
  await vi.waitFor(
    () => expect(world.gateway.printed()).toContain('1 attempt was let through past a limit of cost'),
    patience,
  );
  expect(await toSum(world.gateway, policy)).toBeCloseTo(imageCost + 0.03, 9);
  // Metrics have the same cost, and no tokens of speech.
  const metrics = await readMetrics(world.gateway.origin, { 'x-gw-api-key': adminKey });
  const target = 'plan="(caller)",target="(caller)",provider="openai"';
  expect(toLines(metrics, 'gatewright_cost_usd_total')).toEqual({
    [`{${target}}`]: expect.closeTo(imageCost + 0.03, 9),
  });
  expect(toLines(metrics, 'gatewright_tokens_total')).toEqual({
    [`{${target},sort="input"}`]: 20,
    [`{${target},sort="output"}`]: 4160,
  });
});

it('refuses only generating requests without a known price if the limit says so', async () => {
  const world = await passing();
  const policy = await makePolicy(world.gateway, 'usage-limits', { ...budget, if_unknown: 'refuse' });
  const asked: readonly (readonly [string, object])[] = [
    ...[drawing('gpt-image-1'), drawing('dall-e-3'), speech('tts-1'), speech('gpt-4o-mini-tts'), speech('tts-9')],
    ranking,
  ];
  const answers: string[] = [];
  for (const each of asked) answers.push(await post(world, ...each));
  expect(answers).toEqual([
    ...['200', '412 unmeasured-request', '200', '412 unmeasured-request', '412 unmeasured-request'],
    '412 unmeasured-request',
  ]);
  await vi.waitFor(async () => expect(await toSum(world.gateway, policy)).toBeCloseTo(imageCost + 0.03, 9), patience);
});
