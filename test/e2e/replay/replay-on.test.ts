import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { type GatewayProcess, startGateway, writeFolder } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiError } from '../../support/vendors/openai-wire.ts';

const count = 1000;

let upstream: TestUpstream;
let gateway: GatewayProcess;

const target = (name: string, more: object = {}): object => ({
  ...{ name, provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}/${name}/v1` },
  override_params: { model: name },
  ...more,
});

/** Load balances, fallbacks, retries and a breaker, selected by metadata and by the body. */
const config = (): object => ({
  strategy: {
    mode: 'conditional',
    conditions: [
      { query: { 'metadata.tier': { $eq: 'gold' } }, then: 'careful' },
      { query: { 'params.max_tokens': { $gt: 100 } }, then: 'b' },
    ],
    default: 'mixed',
  },
  targets: [
    {
      name: 'careful',
      strategy: { mode: 'fallback' },
      targets: [target('a', { cb_config: { failure_threshold: 3, cooldown_interval: 60000 } }), target('b')],
    },
    target('b'),
    {
      name: 'mixed',
      strategy: { mode: 'loadbalance' },
      targets: [target('c', { weight: 3, retry: { attempts: 1, on_status_codes: [429] } }), target('d', { weight: 1 })],
    },
  ],
});

const send = async (at: number): Promise<void> => {
  const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'x-gw-trace-id': `trace-${at}` },
      ...(at % 3 === 0 && { 'x-gw-metadata': JSON.stringify({ tier: at % 2 === 0 ? 'gold' : 'free' }) }),
    },
    body: JSON.stringify({
      model: 'm',
      messages: [{ role: 'user', content: 'Hello.' }],
      max_tokens: at % 5 === 0 ? 200 : 10,
      ...(at % 7 === 0 && { stream: true }),
    }),
  });
  await answer.arrayBuffer();
};

beforeAll(async () => {
  let calls = 0;
  upstream = await startUpstream((call) => {
    calls += 1;
    const fault = [200, 200, 429, 200, 500, 200, 200, 503][calls % 8] ?? 200;
    if (fault === 200) call.json(openaiAnswer({ text: 'Yes.' }));
    else call.json(openaiError('No.', 'server_error'), { status: fault, headers: { 'retry-after-ms': '1' } });
  });
  const folder = writeFolder({
    'configs/chat.json': JSON.stringify(config()),
    'gateway.json': JSON.stringify({ configs: 'configs', default_config: 'chat' }),
  });
  gateway = await startGateway({ folder, args: ['--config', 'gateway.json'], env: { GW_LOG: 'requests', KEY: 'k' } });
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) await send(at);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  await vi.waitFor(() => expect(gateway.records().length).toBe(count), patience);
  const lines = gateway.records().map((record) => JSON.stringify(record));
  writeFileSync(path.join(folder, 'requests.log'), `${lines.join('\n')}\n`);
}, 120_000);

afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

const replayOn = async (after: object, ...argv: readonly string[]) => {
  writeFileSync(path.join(gateway.folder, 'new.json'), JSON.stringify(after));
  const { code, out, err } = await runGw(gateway.folder, [
    'replay',
    '--log',
    'requests.log',
    '--on',
    'new.json',
    '--format',
    'json',
    ...argv,
  ]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
};

describe('replaying the log of a thousand requests over sockets', () => {
  it('shows no difference on the plan that it was recorded on', async () => {
    const { code, out } = await runGw(gateway.folder, ['replay', '--log', 'requests.log', '--on', 'configs/chat.json']);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('  unchanged  1,000\n  elsewhere      0\n  refused        0\n  undecided      0\n'),
    });
  }, 180_000);

  it('shows no difference on a config of another shape, by the recorded choices', async () => {
    const { targets, ...rest } = config() as { readonly targets: readonly { readonly name: string }[] };
    const wrapped = targets.map((each) => ({
      ...{ name: each.name, strategy: { mode: 'fallback' } },
      targets: [{ ...each, name: `the ${each.name}` }],
    }));
    const nested = { ...rest, name: 'nested', targets: wrapped, request_timeout: 20_000 };
    expect(await replayOn(nested, '--from', 'configs/chat.json')).toMatchObject({ requests: count, unchanged: count });
  }, 180_000);

  it('reports requests that go elsewhere, and those undecided because the log lacks what a new condition reads', async () => {
    const replaced = JSON.parse(JSON.stringify(config()).replaceAll('"d"', '"e"'));
    const found = await replayOn(replaced, '--from', 'configs/chat.json');
    expect(found.unchanged + found.elsewhere).toBe(count);
    expect(found.elsewhere).toBeGreaterThan(50);
    for (const { before, after } of found.changes)
      expect([before, after]).toEqual([expect.stringMatching(/^d /), expect.stringMatching(/^e /)]);

    const anew = JSON.parse(JSON.stringify(config()).replace('"gold"', '"silver"'));
    // Requests with the tier gold are not silver, so the body decides. The tier of all others is not known.
    const { undecided, lacks } = await replayOn(anew, '--from', 'configs/chat.json');
    expect(undecided).toBe(count);
    expect(lacks).toEqual([
      { fact: 'metadata.tier', requests: expect.any(Number) },
      { fact: 'params.max_tokens', requests: expect.any(Number) },
    ]);
    expect(await replayOn(anew)).toMatchObject({ undecided: count });
  }, 180_000);
});
