import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import type { NewKey } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { readRecord } from '../logs/support/logged.ts';
import { makePolicy, saveTarget, sharedLimited, toSum } from './support/limited-gateway.ts';

interface Subject {
  readonly operation: string;
  readonly provider: string;
  readonly path: string;
  readonly body: object;
  /** The cost of one request, in dollars. */
  readonly cost: number;
  /** The usage that its record reports. */
  readonly usage: object;
  readonly tokens: number;
}

const rerank: Subject = {
  operation: 'rerank',
  provider: 'cohere',
  path: '/rerank',
  body: { model: 'ranker', query: 'Which?', documents: ['one', 'two'] },
  cost: 3 * 0.002,
  usage: { kind: 'reported', calls: { search: 3 } },
  tokens: 0,
};

const counted: Subject = {
  operation: 'rerank',
  provider: 'jina',
  path: '/rerank',
  body: { model: 'ranker', query: 'Which?', documents: ['one', 'two'] },
  // 500 tokens at 20 dollars per million.
  cost: 0.01,
  usage: { kind: 'reported', input_tokens: 500 },
  tokens: 500,
};

const ocr: Subject = {
  operation: 'ocr',
  provider: 'mistral-ai',
  path: '/ocr',
  body: { model: 'reader', document: { type: 'document_url', document_url: 'https://example.com/a.pdf' } },
  cost: 4 * 0.005,
  usage: { kind: 'reported', calls: { page: 4 } },
  tokens: 0,
};

const moderate: Subject = {
  operation: 'moderate',
  provider: 'openai',
  path: '/moderations',
  body: { model: 'omni-moderation-latest', input: 'x'.repeat(358) },
  cost: 0,
  usage: { kind: 'estimated' },
  // Four bytes per token, of the input and the name of the model.
  tokens: 95,
};

const subjects = [rerank, counted, ocr, moderate];

const answers: Readonly<Record<string, object>> = {
  [rerank.provider]: { results: [], meta: { billed_units: { search_units: 3 } } },
  [counted.provider]: { results: [], usage: { total_tokens: 500 } },
  [ocr.provider]: { pages: [], model: 'reader', usage_info: { pages_processed: 4, doc_size_bytes: 9 } },
  [moderate.provider]: { id: 'm', model: 'omni-moderation-2024-09-26', results: [] },
};

interface World {
  readonly gateway: GatewayProcess;
  readonly key: NewKey;
}

const limited = sharedLimited({
  files: {
    'gateway.json': {
      log: true,
      prices: {
        cohere: { ranker: { input: 0, output: 0, search: 0.002 } },
        jina: { ranker: { input: 20, output: 0 } },
        'mistral-ai': { reader: { input: 0, output: 0, page: 0.005 } },
      },
    },
  },
});

const serve = async (): Promise<World> => {
  const { gateway, key } = await limited();
  for (const { provider } of subjects) {
    const upstream = await startUpstream((call) => call.json(answers[provider]));
    onTestFinished(() => upstream.close());
    await saveTarget(gateway, { upstream, slug: provider, more: { provider } });
  }
  return { gateway, key };
};

const post = async ({ gateway, key }: World, { provider, path, body }: Subject) => {
  const trace = randomUUID();
  const answer = await fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'x-gw-api-key': key.key },
      ...{ 'x-gw-provider': `@${provider}`, 'x-gw-trace-id': trace },
    },
    body: JSON.stringify(body),
  });
  const { code, error } = (await answer.json()) as { code?: string; error?: { code?: string } };
  return { status: answer.status, code: code ?? error?.code, trace };
};

it('are counted by cost and by tokens, and refused when a limit is reached', async () => {
  const world = await serve();
  for (const subject of subjects) {
    const conditions = [{ key: 'provider', value: subject.provider }];
    const costs = await makePolicy(world.gateway, 'usage-limits', { type: 'cost', credit_limit: 100, conditions });
    const tokens = await makePolicy(world.gateway, 'usage-limits', { type: 'tokens', credit_limit: 1e6, conditions });
    expect((await post(world, subject)).status).toBe(200);
    await vi.waitFor(async () => {
      expect(await toSum(world.gateway, costs)).toBeCloseTo(subject.cost, 9);
      expect(await toSum(world.gateway, tokens)).toBe(subject.tokens);
    }, patience);
    if (subject.cost === 0) continue;
    await makePolicy(world.gateway, 'usage-limits', { type: 'cost', credit_limit: subject.cost, conditions });
    const answered = [await post(world, subject)];
    await vi.waitFor(async () => expect((await post(world, subject)).status).toBe(412), patience);
    expect(answered.map(({ status }) => status)).toEqual([200]);
  }
});

it.each(subjects)('are limited by the type of their endpoint: $operation at $provider', async (subject) => {
  const world = await serve();
  const [name = ''] = subject.path.split('/').slice(1);
  const limit = { type: 'requests', unit: 'rpd', value: 1 };
  await makePolicy(world.gateway, 'rate-limits', { ...limit, conditions: [{ key: 'endpoint_type', value: name }] });
  const statuses = [(await post(world, subject)).status, (await post(world, subject)).status];
  expect(statuses).toEqual([200, 429]);
});

it('are logged with their operation, usage and cost', async () => {
  const world = await serve();
  for (const subject of subjects) {
    const { trace } = await post(world, subject);
    const record = await readRecord(world.gateway, trace);
    expect(record).toMatchObject({
      operation: subject.operation,
      cost_nano_usd: subject.cost * 1e9,
      attempts: [{ usage: subject.usage }],
    });
  }
});

it('are refused if the provider has no form for them, so that their cost is unknown', async () => {
  const world = await serve();
  await makePolicy(world.gateway, 'usage-limits', { type: 'cost', credit_limit: 100, if_unknown: 'refuse' });
  expect(await post(world, rerank)).toMatchObject({ status: 200 });
  expect(await post(world, moderate)).toMatchObject({ status: 200 });
  const passed = { ...rerank, provider: 'openai' };
  expect(await post(world, passed)).toMatchObject({ status: 412, code: 'unmeasured-request' });
});
