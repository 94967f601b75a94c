import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiError } from '../../support/vendors/openai-wire.ts';
import { deployment, imported, type Made, parsed } from './support.ts';

const thenOthers = { mode: 'fallback', on_status_codes: [401, 408, 409, 412, 429, 500, 502, 503, 504, 529] };

const target = (model: string, name: string, more: object = {}): object => ({
  name,
  ...more,
  ...{ provider: 'openai', api_key: '${env:KEY}', override_params: { model } },
});

/** A group of `count` deployments of one model. */
const group = (count: number, more: object = {}): readonly object[] =>
  ['a', 'b', 'c', 'd', 'e'].slice(0, count).map((model) => deployment('gpt', { model: `openai/${model}`, ...more }));

const importGroup = (count: number, router: object): Promise<Made> =>
  imported('litellm', { model_list: group(count), router_settings: router });

/** The names of all targets in a config. */
const listTargets = (made: Made): readonly string[] =>
  [...(made.files['configs/gpt.json'] ?? '').matchAll(/"name": "([^"]+)"/g)].map(([, name = '']) => name);

const checkOf = async ({ files }: Made): Promise<string> => {
  const folder = temporaryFolder(files);
  const { code, out, err } = await runGw(folder, ['check', 'configs', '--config', 'gateway.json']);
  return `${code} ${out}${err}`;
};

describe('retries of a model with several deployments', () => {
  it('call another deployment, and repeat only the last one when all have been called', async () => {
    const made = await imported('litellm', {
      model_list: [
        deployment('gpt', { model: 'openai/a', weight: 3 }),
        deployment('gpt', { model: 'openai/b', weight: 1 }),
      ],
      router_settings: { num_retries: 2 },
    });
    expect(parsed(made, 'configs/gpt.json')).toEqual({
      strategy: { mode: 'loadbalance' },
      targets: [
        {
          weight: 3,
          strategy: thenOthers,
          targets: [target('a', 'gpt-1'), target('b', 'gpt-1-then-2', { retry: { attempts: 1 } })],
        },
        {
          weight: 1,
          strategy: thenOthers,
          targets: [target('b', 'gpt-2'), target('a', 'gpt-2-then-1', { retry: { attempts: 1 } })],
        },
      ],
    });
    expect(made.losses).toEqual([]);
    expect(await checkOf(made)).toBe('0 1 file, nothing to report.\n');
  });

  it('draw among the deployments that have not failed', async () => {
    const made = await importGroup(3, { num_retries: 1 });
    const pair = (...targets: readonly object[]): object => ({
      strategy: { mode: 'loadbalance' },
      targets: targets.map((each) => ({ ...each, weight: 1 })),
    });
    expect(parsed(made, 'configs/gpt.json')).toMatchObject({
      targets: [
        { targets: [target('a', 'gpt-1'), pair(target('b', 'gpt-1-then-2'), target('c', 'gpt-1-then-3'))] },
        { targets: [target('b', 'gpt-2'), pair(target('a', 'gpt-2-then-1'), target('c', 'gpt-2-then-3'))] },
        { targets: [target('c', 'gpt-3'), pair(target('a', 'gpt-3-then-1'), target('b', 'gpt-3-then-2'))] },
      ],
    });
    expect(made.losses).toEqual([]);
  });

  it.each([
    [2, 1],
    [2, 5],
    [3, 1],
    [3, 2],
    [3, 5],
    [4, 1],
    [4, 3],
  ])(
    'create a valid config for %i deployments and %i retries, with exactly that many attempts',
    async (count, retries) => {
      const made = await importGroup(count, { num_retries: retries });
      expect(await checkOf(made)).toBe('0 1 file, nothing to report.\n');
      const { out } = await runGw(temporaryFolder(made.files), [
        ...['explain', 'configs/gpt.json', '--config', 'gateway.json'],
      ]);
      expect(out).toContain(`At most ${retries + 1} upstream calls;`);
      expect(new Set(listTargets(made)).size).toBe(listTargets(made).length);
    },
  );

  it("continue with the model's fallbacks, which keep their own retries", async () => {
    const made = await imported('litellm', {
      model_list: [...group(2), deployment('spare', { model: 'openai/s' })],
      router_settings: { num_retries: 1, fallbacks: [{ gpt: ['spare'] }] },
    });
    expect(parsed(made, 'configs/gpt.json')).toMatchObject({
      retry: { attempts: 1 },
      strategy: { mode: 'fallback' },
      targets: [
        { name: 'gpt', retry: { attempts: 0 }, strategy: { mode: 'loadbalance' } },
        { name: 'spare', override_params: { model: 's' } },
      ],
    });
    expect(parsed(made, 'configs/spare.json')).toMatchObject({ retry: { attempts: 1 } });
    expect(await checkOf(made)).toBe('0 2 files, nothing to report.\n');
  });

  it('keep the number of retries that a deployment specifies', async () => {
    const made = await imported('litellm', {
      model_list: group(2, { max_retries: 3 }),
      router_settings: { num_retries: 1 },
    });
    expect(made.files['configs/gpt.json']?.match(/"attempts": \d/g)).toEqual(new Array(4).fill('"attempts": 3'));
  });

  it.each([
    [4, { num_retries: 1 }, undefined],
    [4, { num_retries: 2 }, 'The first retry of "gpt" calls another one of its 4 targets, and later retries'],
    [5, { num_retries: 1 }, 'A retry calls the same target of "gpt" again, not another one of its 5'],
    [5, { num_retries: 0 }, undefined],
    [2, { num_retries: 1, routing_strategy: 'cost-based-routing' }, undefined],
    [
      2,
      { num_retries: 1, routing_strategy: 'least-busy' },
      'The balance "least-busy" of "gpt" does not notice a target that fails',
    ],
    [2, { num_retries: 1, routing_strategy: 'least-busy', cooldown_time: 30 }, undefined],
    [2, { routing_strategy: 'least-busy' }, undefined],
  ])("are noted if they differ from LiteLLM's: %i deployments with %j", async (count, router, note) => {
    const { losses } = await importGroup(count, router);
    expect(losses).toEqual(note === undefined ? [] : [expect.objectContaining({ why: expect.stringContaining(note) })]);
  });

  it('are noted at the balance that ignores failures', async () => {
    const { losses } = await importGroup(2, { num_retries: 1, routing_strategy: 'least-busy' });
    expect(losses).toEqual([expect.objectContaining({ place: '/router_settings/routing_strategy' })]);
  });

  it('repeat the same target before those of a higher order, with a note', async () => {
    const made = await imported('litellm', {
      model_list: [
        deployment('gpt', { model: 'openai/a', order: 1 }),
        deployment('gpt', { model: 'openai/b', order: 2 }),
      ],
      router_settings: { num_retries: 1 },
    });
    expect(parsed(made, 'configs/gpt.json')).toMatchObject({ retry: { attempts: 1 }, strategy: { mode: 'fallback' } });
    expect(made.losses).toEqual([
      expect.objectContaining({ why: expect.stringContaining('again, before those of a higher "order"') }),
    ]);
  });

  it('report a rejected target once, even if it occurs at several places', async () => {
    const made = await imported('litellm', {
      model_list: [...group(2), deployment('gpt', { model: 'openai/c', api_base: 'https://user:literal@example.com' })],
      router_settings: { num_retries: 2 },
    });
    expect(made.losses.map(({ place }) => place)).toEqual(['/model_list/2']);
    expect(made.files['configs/gpt.json']).not.toContain('"c"');
  });
});

describe('a gateway with imported LiteLLM configs', () => {
  /** With this weight, practically no draw starts with the other deployment. */
  const first = { weight: 1_000_000_000 };
  const removals: (() => void)[] = [];
  let upstreams: readonly TestUpstream[] = [];
  let gateway: GatewayProcess;

  const answering = (status: number): Promise<TestUpstream> =>
    startUpstream((call) =>
      status === 200 ? call.json(openaiAnswer({ text: 'Hi' })) : call.json(openaiError('No.', 'error'), { status }),
    );

  const at = (name: string, { origin }: TestUpstream, more: object = {}): object =>
    deployment(name, { model: `openai/${name}`, api_base: `${origin}/v1`, ...more });

  const statusOf = async (model: string): Promise<number> => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages }),
    });
    await answer.text();
    return answer.status;
  };

  beforeAll(async () => {
    const [limited, broken, good, strict] = await Promise.all([
      answering(429),
      answering(500),
      answering(200),
      answering(400),
    ]);
    upstreams = [limited, broken, good, strict];
    const source = {
      model_list: [
        ...[at('limited', limited, first), at('limited', good, { weight: 1 })],
        ...[at('broken', broken, first), at('broken', good, { weight: 1 })],
        ...[at('three', limited), at('three', broken), at('three', good)],
        ...[at('strict', strict, first), at('strict', good, { weight: 1 })],
      ],
      router_settings: { num_retries: 2 },
    };
    const { files } = await imported('litellm', source, (remove) => removals.push(remove));
    gateway = await startGateway({ files, env: { KEY: 'sk-test' }, unset: ['GW_TRUSTED_HOSTS'] });
  });

  afterAll(async () => {
    for (const remove of removals) remove();
    await gateway?.stop();
    await Promise.all(upstreams.map((upstream) => upstream.close()));
  });

  const countRequests = (): readonly number[] => upstreams.map(({ requests }) => requests.length);

  const countSince = (before: readonly number[]): readonly number[] =>
    countRequests().map((count, index) => count - (before[index] ?? 0));

  it.each([
    ['limited', [1, 0, 1, 0]],
    ['broken', [0, 1, 1, 0]],
  ])('lets another deployment answer without a delay if the one of "%s" fails', async (model, asked) => {
    const before = countRequests();
    expect(await statusOf(model)).toBe(200);
    expect(countSince(before)).toEqual(asked);
  });

  it('calls each of three deployments at most once, in whichever order they are drawn', async () => {
    for (let request = 0; request < 8; request += 1) {
      const before = countRequests();
      expect(await statusOf('three')).toBe(200);
      const [limited, broken, good] = countSince(before);
      expect([0, 1]).toContain(limited);
      expect([0, 1]).toContain(broken);
      expect(good).toBe(1);
    }
  });

  it('calls no other deployment if the request itself is invalid', async () => {
    const before = countRequests();
    expect(await statusOf('strict')).toBe(400);
    expect(countSince(before)).toEqual([0, 0, 0, 1]);
  });
});
