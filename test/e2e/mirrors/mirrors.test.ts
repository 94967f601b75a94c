import { describe, expect, it, vi } from 'vitest';
import { readMetrics, toLines } from '../../support/gateways/read-metrics.ts';
import { adminKey, callControl, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import type { UpstreamCall } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { receivedRecords, sharedReceiver } from '../sinks/support/sent-records.ts';
import {
  ask,
  type MirroredWorkspace,
  main,
  mirroredWorkspace,
  received,
  said,
  sharedMirrored,
  toOther,
} from './support/mirrored-gateway.ts';

interface Arm {
  readonly arm: string;
  readonly requests: number;
}

const arms = async ({ gateway, workspace }: MirroredWorkspace): Promise<readonly Arm[]> => {
  const { text } = await callControl(gateway, 'GET /usage/arms', { workspace });
  return JSON.parse(text).data;
};

/** Returns how many copies of a config ended with each result. */
const mirrors = async (origin: string, config: string): Promise<Readonly<Record<string, number>>> => {
  const label = `{plan="${config}",target="copy",`;
  const all = toLines(await readMetrics(origin, { 'x-gw-api-key': adminKey }), 'gatewright_mirrors_total');
  return Object.fromEntries(
    Object.entries(all).flatMap(([labels, value]) =>
      labels.startsWith(label) ? [[labels.slice(label.length, -1), value]] : [],
    ),
  );
};

const receiver = sharedReceiver();
const gateway = sharedMirrored(() => ({
  log: { sinks: [{ sink: 'webhook', url: receiver().origin, workspaces: ['logged'] }] },
}));

describe('a mirror', () => {
  it('sends copies with its own credential and model, while the client gets the answer of the original target', async () => {
    const world = await mirroredWorkspace(gateway());
    const { primary, mirror } = world;
    await world.saveConfig('compared', { ...main, mirror: toOther() });
    const asked = { config: 'compared' };
    const whole = await ask(world, { ...asked, body: { temperature: 0.5 } });
    expect([whole.status, JSON.parse(whole.text).choices[0].message.content]).toEqual([200, said]);
    const streamed = await ask(world, { ...asked, body: { stream: true } });
    expect(streamed.text).toContain('data: [DONE]');
    await received(mirror, 2);
    const copies = mirror.requests.map(({ header, body }) => [header('authorization'), JSON.parse(body.toString())]);
    expect(copies).toMatchObject([
      ['Bearer sk-of-other', { model: 'cheap', temperature: 0.5 }],
      ['Bearer sk-of-other', { model: 'cheap', stream: true }],
    ]);
    expect(primary.requests.map(({ header }) => header('authorization'))).toEqual(
      Array.from({ length: 2 }, () => 'Bearer sk-of-main'),
    );
    const trace = whole.headers.get('x-gw-trace-id') ?? '';
    await control(gateway(), 'POST /feedback', { key: world.key, body: { trace_id: trace, value: 8 } });
    await vi.waitFor(
      async () =>
        expect(await arms(world)).toMatchObject([
          {
            ...{ config: 'compared', node: 'config', arm: 'primary', provider: 'openai', model: 'priced', requests: 2 },
            ...{ errors: 0, success_rate: 1, nano_usd: '60000', unpriced: 0, judged: 0, feedback: 1, feedback_avg: 8 },
          },
          {
            ...{ config: 'compared', node: 'config', arm: 'mirror', provider: 'openai', model: 'cheap', requests: 2 },
            ...{ errors: 0, success_rate: 1, nano_usd: '6000', unpriced: 0, judged: 2, passed: 2, pass_rate: 1 },
            ...{ feedback: 0, feedback_avg: null },
          },
        ]),
      patience,
    );
    // Clients have sent two requests, which made four attempts.
    await vi.waitFor(async () => {
      const { summary } = await world.control('GET /usage');
      expect(summary).toMatchObject({ requests: 2, attempts: 4, nano_usd: '66000' });
    }, patience);
    const { data } = await world.control('GET /usage?group_by=metadata._mirror');
    expect(data).toMatchObject([
      { 'metadata._mirror': null, requests: 2, attempts: 2 },
      { 'metadata._mirror': 'config', requests: 0, attempts: 2 },
    ]);
    expect(await mirrors(gateway().origin, 'compared')).toEqual({ 'result="answered"': 2 });
  });

  it('appears in the log and its sinks: the request names its mirror, and the copy is marked', async () => {
    const world = await mirroredWorkspace(gateway(), 'logged');
    const { mirror } = world;
    await world.saveConfig('app', { ...main, mirror: toOther() });
    await ask(world);
    await received(mirror, 1);
    const records = async (query: string): Promise<readonly { readonly id: string; readonly metadata: object }[]> => {
      const { text } = await callControl(gateway(), `GET /logs?${query}`, { workspace: 'logged' });
      return JSON.parse(text).data;
    };
    await vi.waitFor(async () => expect(await records('')).toHaveLength(2), patience);
    const [copy] = await records('metadata._mirror=config');
    expect(copy?.metadata).toMatchObject({ _mirror: 'config' });
    const [request] = (await records('')).filter(({ id }) => id !== copy?.id);
    const { text } = await callControl(gateway(), `GET /logs/${request?.id}`, { workspace: 'logged' });
    expect(JSON.parse(text)).toMatchObject({
      trail: expect.arrayContaining([{ kind: 'mirrored', path: '', target: 'copy' }]),
    });
    await vi.waitFor(() => expect(receivedRecords(receiver())).toHaveLength(2), patience);
    expect(receivedRecords(receiver()).map(({ metadata, model }) => [model, metadata._mirror])).toEqual(
      expect.arrayContaining([
        ['priced', undefined],
        ['cheap', 'config'],
      ]),
    );
  });

  it('limits the number of copies under way, and drops the rest', async () => {
    const world = await mirroredWorkspace(gateway());
    const { mirror } = world;
    const held: UpstreamCall[] = [];
    mirror.handle((call) => void held.push(call));
    await world.saveConfig('bounded', { ...main, mirror: toOther() });
    // A tenant gets a quarter of 256 places.
    const answers = await Promise.all(Array.from({ length: 70 }, () => ask(world, { config: 'bounded' })));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await received(mirror, 64);
    await vi.waitFor(
      async () => expect(await mirrors(gateway().origin, 'bounded')).toEqual({ 'result="dropped"': 6 }),
      patience,
    );
    expect(mirror.requests).toHaveLength(64);
    for (const call of held) call.json(openaiAnswer({ text: said }));
    await vi.waitFor(
      async () => expect(await mirrors(gateway().origin, 'bounded')).toMatchObject({ 'result="answered"': 64 }),
      patience,
    );
    mirror.handle((call) => call.json(openaiAnswer({ text: said })));
    await ask(world, { config: 'bounded' });
    await received(mirror, 65);
  });

  it('copies the request as the checks of the target changed it, and nothing that they denied', async () => {
    const world = await mirroredWorkspace(gateway());
    const { primary, mirror } = world;
    const redacted = { 'default.regexReplace': { rule: 'bridge', redactText: 'thing' } };
    const denied = { 'default.contains': { words: ['forbidden'], operator: 'none' }, deny: true };
    await world.saveConfig('app', { ...main, input_guardrails: [redacted, denied], mirror: toOther() });
    const forbidden = { messages: [{ role: 'user', content: 'Say what is forbidden.' }] };
    expect((await ask(world, { body: forbidden })).status).toBe(446);
    expect((await ask(world)).status).toBe(200);
    await received(mirror, 1);
    expect(primary.requests).toHaveLength(1);
    expect(mirror.requests).toHaveLength(1);
    expect(mirror.requests[0]?.body.toString()).toContain('When was the thing built?');
  });

  it.each([
    ['the provider stores', '/responses', { model: 'm', input: 'Hi' }],
    [
      'continues a stored response',
      '/responses',
      { model: 'm', input: 'Hi', store: false, previous_response_id: 'resp_1' },
    ],
    ['asks the provider to store it', '/chat/completions', { store: true }],
    ['lets the provider search the web', '/chat/completions', { web_search_options: {} }],
    [
      'uses a tool of the provider',
      '/responses',
      { model: 'm', input: 'Hi', store: false, tools: [{ type: 'web_search' }] },
    ],
    ['is not a request to a model', '/files/file-1/content', {}],
  ])('does not copy what %s', async (_what, path, body) => {
    const world = await mirroredWorkspace(gateway());
    const { primary, mirror } = world;
    await world.saveConfig('app', { ...main, mirror: toOther() });
    await ask(world, { path, body });
    await received(primary, 1);
    // A copy of the request above would arrive before the copy of this one.
    await ask(world, { body: { user: 'last' } });
    await received(mirror, 1);
    expect(mirror.requests.map(({ body: copied }) => JSON.parse(copied.toString()).user)).toEqual(['last']);
  });

  it('does not copy requests that a cache answers', async () => {
    const world = await mirroredWorkspace(gateway());
    const { primary, mirror } = world;
    await world.saveConfig('app', { ...main, cache: { mode: 'simple' }, mirror: toOther() });
    for (let turn = 0; turn < 3; turn += 1) await ask(world);
    await ask(world, { body: { user: 'last' } });
    await received(mirror, 2);
    expect([primary.requests.length, mirror.requests.length]).toEqual([2, 2]);
  });

  it('of a group copies each request that reaches the group, whichever target answers', async () => {
    const world = await mirroredWorkspace(gateway());
    const { primary, mirror } = world;
    primary.handle((call) => call.json({ error: { message: 'No.' } }, { status: 500 }));
    await world.saveConfig('app', {
      strategy: { mode: 'fallback' },
      mirror: toOther({ percent: 100, checks: [] }),
      targets: [main, { name: 'spare', provider: 'echo' }],
    });
    expect((await ask(world)).status).toBe(200);
    await received(mirror, 1);
    expect(primary.requests).toHaveLength(1);
  });

  it('does not count in the rate limits of callers', async () => {
    const world = await mirroredWorkspace(gateway());
    const { mirror } = world;
    await world.saveConfig('app', { ...main, mirror: toOther() });
    await world.control('POST /policies/rate-limits', {
      ...{ name: 'Two', type: 'requests', unit: 'rpm', value: 2 },
      ...{ conditions: [{ key: 'workspace_id', value: '*' }], group_by: [{ key: 'api_key' }] },
    });
    expect([await ask(world), await ask(world)].map(({ status }) => status)).toEqual([200, 200]);
    await received(mirror, 2);
    expect((await ask(world)).status).toBe(429);
  });

  it('is not sent if its own budget is used up, without an effect on the client', async () => {
    const world = await mirroredWorkspace(gateway());
    const { primary, mirror } = world;
    await world.saveConfig('refused', { ...main, mirror: toOther() });
    await world.control('POST /policies/usage-limits', {
      ...{ name: 'Copies', type: 'tokens', credit_limit: 1 },
      ...{ conditions: [{ key: 'metadata._mirror', value: 'config' }], group_by: [{ key: 'api_key' }] },
    });
    const ended = () => mirrors(gateway().origin, 'refused');
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await ask(world, { config: 'refused' })).status).toBe(200);
      await vi.waitFor(
        async () => expect(Object.values(await ended()).reduce((sum, each) => sum + each, 0)).toBe(turn + 1),
        patience,
      );
    }
    expect([primary.requests.length, mirror.requests.length]).toEqual([3, 1]);
    expect(await ended()).toEqual({ 'result="answered"': 1, 'result="refused"': 2 });
  });
});

it('a resource that a mirror of a saved config names cannot be deleted', async () => {
  const world = await mirroredWorkspace(gateway());
  const guardrail = { name: 'short', checks: [{ id: 'default.wordCount', parameters: { maxWords: 50 } }] };
  const { slug = '' } = await world.control('POST /guardrails', {
    ...{ ...guardrail, workspace_id: world.workspace, actions: {} },
  });
  await world.saveConfig('app', { ...main, mirror: toOther({ checks: ['similar', slug] }) });
  for (const path of [`/guardrails/${slug}`, '/providers/other']) {
    const { status, text } = await callControl(gateway(), `DELETE ${path}`, { workspace: world.workspace });
    expect([status, text]).toEqual([409, expect.stringContaining('the config \\"app\\"')]);
  }
});

describe('a mirror in a config of a request', () => {
  it('cannot call a saved provider', async () => {
    const world = await mirroredWorkspace(gateway());
    const { mirror } = world;
    const config = JSON.stringify({ provider: '@main', mirror: toOther() });
    const { status, text } = await ask(world, { config });
    expect([status, text]).toEqual([400, expect.stringContaining('mirror-credential')]);
    expect(mirror.requests).toHaveLength(0);
  });

  it("calls a host of the caller with the caller's credential", async () => {
    const world = await mirroredWorkspace(gateway());
    const { mirror } = world;
    const target = { provider: 'openai', api_key: 'sk-of-the-caller', custom_host: `${mirror.origin}/v1` };
    const config = JSON.stringify({ provider: '@main', mirror: { target, percent: 100 } });
    expect((await ask(world, { config })).status).toBe(200);
    await received(mirror, 1);
    expect(mirror.requests[0]?.header('authorization')).toBe('Bearer sk-of-the-caller');
  });
});

// This test comes last because it stops the gateway.
it('a mirror target that hangs delays no answer, and ends with the gateway', async () => {
  const world = await mirroredWorkspace(gateway());
  const { mirror } = world;
  mirror.handle(() => {});
  await world.saveConfig('app', { ...main, mirror: toOther() });
  for (let turn = 0; turn < 3; turn += 1) expect((await ask(world)).status).toBe(200);
  await received(mirror, 3);
  gateway().signal('SIGTERM');
  expect(await gateway().exited).toBe(0);
});
