import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { type GatewayProcess, startGateway, writeFolder } from '../../support/gateways/gateway-process.ts';
import { chiSquare, chiSquareLimit } from '../../support/in-process/chi-square.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiError } from '../../support/vendors/openai-wire.ts';

const count = 600;

let upstream: TestUpstream;
let gateway: GatewayProcess;
let calls: ReadonlyMap<string, number>;
let statuses: ReadonlyMap<number, number>;

const target = (name: string, more: object = {}): object => ({
  ...{ name, provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}/${name}/v1` },
  ...more,
});

/** `a` is down, `b` refuses requests for good, and `c` serves. 3 of 4 requests begin at `a`. */
const config = (): object => ({
  strategy: { mode: 'loadbalance' },
  targets: [
    {
      weight: 3,
      strategy: { mode: 'fallback', on_status_codes: [503] },
      targets: [target('a', { retry: { attempts: 1, on_status_codes: [503] } }), target('c')],
    },
    target('b', { weight: 1 }),
  ],
});

const failures = [
  { target: 'a', status: 503 },
  { target: 'b', status: 400 },
];

const countBy = <Item>(items: readonly Item[]): ReadonlyMap<Item, number> =>
  new Map([...Map.groupBy(items, (item) => item)].map(([item, all]) => [item, all.length]));

beforeAll(async () => {
  const seen: string[] = [];
  upstream = await startUpstream((call) => {
    const [, name = ''] = call.request.path.split('/');
    seen.push(name);
    const status = { a: 503, b: 400 }[name];
    if (status === undefined) call.json(openaiAnswer({ text: 'Yes.' }));
    else call.json(openaiError('No.', 'server_error'), { status });
  });
  const folder = writeFolder({
    'configs/chat.json': JSON.stringify(config()),
    'gateway.json': JSON.stringify({ configs: 'configs', default_config: 'chat' }),
  });
  gateway = await startGateway({ folder, args: ['--config', 'gateway.json'], env: { KEY: 'k' } });
  const answers: number[] = [];
  let next = 0;
  const send = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] }),
      });
      await answer.arrayBuffer();
      answers.push(answer.status);
    }
  };
  // Each request waits a second for its retry.
  await Promise.all(Array.from({ length: 100 }, send));
  await vi.waitFor(() => expect(answers).toHaveLength(count), patience);
  calls = countBy(seen);
  statuses = countBy(answers);
}, 120_000);

afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

describe('a simulation', () => {
  it('predicts the calls and the statuses of a gateway over sockets with the same failures', async () => {
    writeFileSync(path.join(gateway.folder, 'failures.json'), JSON.stringify(failures));
    writeFileSync(path.join(gateway.folder, 'traffic.json'), JSON.stringify({ duration_s: 600, rate: 10 }));
    const argv = [
      'simulate',
      'configs/chat.json',
      '--traffic',
      'traffic.json',
      '--failures',
      'failures.json',
      '--format',
      'json',
    ];
    const { out, err } = await runGw(gateway.folder, argv);
    expect(err).toBe('');
    const simulated = JSON.parse(out);
    const shares = (counts: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
      new Map(Object.entries(counts).map(([key, each]) => [key, each / simulated.requests]));
    const named = new Map([...statuses].map(([status, each]) => [String(status), each]));
    const { statistic, degrees } = chiSquare(named, shares(simulated.statuses), count);
    expect([...named.keys()].sort()).toEqual(Object.keys(simulated.statuses).sort());
    expect(statistic).toBeLessThan(chiSquareLimit(degrees));
    // A request that begins at `a` calls it twice and `c` once, in the gateway and in the simulation.
    for (const callsOf of [
      (name: string) => calls.get(name) ?? 0,
      (name: string) => simulated.targets.find((each: { target: string }) => each.target === name).calls,
    ]) {
      expect(callsOf('a')).toBe(2 * callsOf('c'));
      expect(callsOf('b')).toBeGreaterThan(0);
    }
    expect((calls.get('b') ?? 0) + (calls.get('c') ?? 0)).toBe(count);
  }, 120_000);
});
