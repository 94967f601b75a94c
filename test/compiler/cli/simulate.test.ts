import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

const target = (name: string, more: object = {}): object => ({
  name,
  provider: 'openai',
  api_key: '${env:KEY}',
  override_params: { model: 'gpt-4o' },
  ...more,
});
const fallback = (...targets: readonly object[]): object => ({ strategy: { mode: 'fallback' }, targets });

interface Files {
  readonly config: object;
  readonly traffic?: object;
  readonly failures?: object;
}

const folderOf = ({ config, traffic, failures }: Files): string =>
  temporaryFolder({
    'chat.json': config,
    ...(traffic && { 'traffic.json': traffic }),
    ...(failures && { 'failures.json': failures }),
  });

const argvOf = ({ traffic, failures }: Files, ...more: readonly string[]): readonly string[] => [
  ...['simulate', 'chat.json'],
  ...(traffic ? ['--traffic', 'traffic.json'] : []),
  ...(failures ? ['--failures', 'failures.json'] : []),
  ...more,
];

const simulate = async (files: Files, ...more: readonly string[]) => {
  const { code, out, err } = await runGw(folderOf(files), argvOf(files, '--format', 'json', ...more));
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
};

const callsOf = (
  result: { readonly targets: readonly { readonly target: string; readonly calls: number }[] },
  name: string,
): number => result.targets.find((each) => each.target === name)?.calls ?? 0;

const minute = { duration_s: 60, rate: 5 };

describe('gw simulate', () => {
  it('warns about failures that begin after the traffic has ended', async () => {
    const failures = [
      { status: 503, from_s: 59 },
      { status: 503, from_s: 60 },
    ];
    const files = { config: target('a'), traffic: minute, failures };
    const { code, err } = await runGw(folderOf(files), argvOf(files));
    expect({ code, err }).toEqual({
      code: 0,
      err: 'gw: In failures.json, failures[1] begins at 60 s and has no effect: the traffic ends at 60 s. Correct "from_s", or let the traffic last longer.\n',
    });
  });

  it('names the provider of the config in the error about an unknown one', async () => {
    const files = { config: target('a'), failures: [{ status: 500, provider: 'elsewhere' }] };
    expect((await runGw(folderOf(files), argvOf(files))).err).toContain('no such provider. There is only openai.');
  });

  it('simulates an outage: who answers, how long it takes and what it costs', async () => {
    const files = {
      config: fallback(target('a'), target('b')),
      traffic: minute,
      failures: [{ target: 'a', from_s: 20, to_s: 40, status: 503 }],
    };
    const result = await simulate(files);
    expect(result.succeeded).toBe(result.requests);
    expect(result.requests).toBeGreaterThan(200);
    const down = result.moments.filter(({ fromMs }: { fromMs: number }) => fromMs >= 20_000 && fromMs < 40_000);
    const up = result.moments.filter(({ fromMs }: { fromMs: number }) => fromMs < 20_000);
    for (const { requests, calls } of down) expect(calls).toEqual(requests === 0 ? {} : { a: requests, b: requests });
    for (const { requests, calls } of up) expect(calls).toEqual(requests === 0 ? {} : { a: requests });
    expect(result.usd).toBeGreaterThan(0);
    const { out } = await runGw(folderOf(files), argvOf(files));
    expect(out).toContain(
      `${result.requests} requests in 60 s, seed 1\n\n  answered with 2xx  100 % (${result.requests})\n`,
    );
    expect(out).toMatch(/\n {2}calls of b +▕ {20}[▁▂▃▄▅▆▇█ ]{20} {20}▏ of \d+\n/);
  });

  it('simulates circuits that open, retries that wait, and time-outs', async () => {
    const failures = [{ target: 'a', status: 503 }];
    const breaker = { cb_config: { failure_threshold: 3, cooldown_interval: 30_000 } };
    const guarded = await simulate({ config: fallback(target('a', breaker), target('b')), traffic: minute, failures });
    expect(callsOf(guarded, 'a')).toBeLessThan(20);
    expect(callsOf(guarded, 'b')).toBe(guarded.requests);
    const retried = await simulate({ config: target('a', { retry: { attempts: 2 } }), traffic: minute, failures });
    expect(callsOf(retried, 'a')).toBe(3 * retried.requests);
    expect(retried.statuses).toEqual({ 503: retried.requests });
    expect(retried.latencyMs.p50).toBeGreaterThan(1500);
    const hanging = await simulate({
      config: fallback(target('a', { request_timeout: 2000 }), target('b')),
      traffic: minute,
      failures: [{ target: 'a', error: 'hang' }],
    });
    expect(hanging.latencyMs.p50).toBeGreaterThan(2000);
    expect(hanging.succeeded).toBe(hanging.requests);
  });

  it('returns the same result for the same seed, and another one for other seeds', async () => {
    const files = {
      config: fallback(target('a'), target('b')),
      traffic: minute,
      failures: [{ provider: 'openai', share: 0.3, status: 500 }],
    };
    const [one, same, other] = [
      await simulate(files),
      await simulate(files, '--seed', '1'),
      await simulate(files, '--seed', '2'),
    ];
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
    const failed = one.targets[0].failed / one.targets[0].calls;
    expect(failed).toBeGreaterThan(0.15);
    expect(failed).toBeLessThan(0.45);
  });

  it('divides requests by their shares, and uses their metadata, bodies and tokens', async () => {
    const config = {
      strategy: {
        mode: 'conditional',
        conditions: [
          { query: { 'metadata.tier': { $eq: 'gold' } }, then: 'a' },
          { query: { 'params.max_tokens': { $gt: 5 } }, then: 'b' },
        ],
        default: 'c',
      },
      targets: [target('a'), target('b'), target('c')],
    };
    const requests = [
      { share: 2, metadata: { tier: 'gold' }, input_tokens: 1_000_000, output_tokens: 0 },
      { body: { max_tokens: 9 } },
      { stream: true },
    ];
    const result = await simulate({ config, traffic: { ...minute, rate: 20, requests } });
    const part = (name: string): number => callsOf(result, name) / result.requests;
    expect([part('a'), part('b'), part('c')].map((each) => Math.round(each * 10))).toEqual(
      [5, 3, 3].map((each) => expect.closeTo(each, -0.5)),
    );
    expect(result.targets[0].usd / callsOf(result, 'a')).toBeCloseTo(2.5);
  });

  it('changes rates over time, and applies the latency of targets', async () => {
    const traffic = {
      duration_s: 60,
      rate: 0,
      rates: [{ from_s: 30, rate: 10 }],
      latency: [{ target: 'a', median_ms: 100, p95_ms: 100 }],
    };
    const { moments, latencyMs } = await simulate({ config: target('a'), traffic });
    expect(moments.slice(0, 30).every(({ requests }: { requests: number }) => requests === 0)).toBe(true);
    expect(moments.slice(30).some(({ requests }: { requests: number }) => requests > 0)).toBe(true);
    expect([latencyMs.p50, latencyMs.max]).toEqual([expect.closeTo(100), expect.closeTo(100)]);
  });

  it('replays the requests of a log at their times', async () => {
    const line = (second: number, more: object = {}): string =>
      JSON.stringify({
        time: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
        ms: 0,
        seed: second,
        plan: 'x@1',
        route: 'POST /v1/chat/completions',
        status: 200,
        trail: [],
        ...more,
      });
    const config = {
      strategy: {
        mode: 'conditional',
        conditions: [{ query: { 'metadata.tier': { $eq: 'gold' } }, then: 'a' }],
        default: 'b',
      },
      targets: [target('a'), target('b')],
    };
    const cwd = temporaryFolder({
      'chat.json': config,
      'requests.log': [line(50, { metadata: { tier: 'gold' } }), 'It listens.', line(0), line(20)].join('\n'),
    });
    const { out, err } = await runGw(cwd, ['simulate', 'chat.json', '--traffic', 'requests.log', '--format', 'json']);
    expect(err).toBe('');
    const { requests, durationMs, moments } = JSON.parse(out);
    expect({ requests, durationMs }).toEqual({ requests: 3, durationMs: 50_000 });
    expect([moments[0].calls, moments.at(-1).calls]).toEqual([{ b: 1 }, { a: 1 }]);
  });

  it('explains that a picture cannot be written', async () => {
    const { code, out, err } = await runGw(folderOf({ config: target('a') }), [
      ...argvOf({ config: target('a') }),
      ...['--svg', 'chat.json/outage.svg'],
    ]);
    expect({ code, out, err }).toEqual({
      code: 2,
      out: '',
      err: 'gw: Nothing can be written to "chat.json/outage.svg": a file is in the way. Name another file with --svg.\n',
    });
  });

  it('replaces no device by a picture', async () => {
    const cwd = folderOf({ config: target('a') });
    symlinkSync('/dev/null', path.join(cwd, 'nothing'));
    const { code, out, err } = await runGw(cwd, ['simulate', 'chat.json', '--svg', 'nothing']);
    expect({ code, out, err }).toEqual({
      code: 2,
      out: '',
      err: 'gw: Nothing can be written to "nothing": it is a pipe or a device, and not a file. Name another file with --svg.\n',
    });
    expect(lstatSync(path.join(cwd, 'nothing')).isSymbolicLink()).toBe(true);
  });

  it('writes a picture through a link', async () => {
    const cwd = folderOf({ config: target('a') });
    writeFileSync(path.join(cwd, 'real.svg'), 'an older picture');
    symlinkSync('real.svg', path.join(cwd, 'link.svg'));
    expect((await runGw(cwd, ['simulate', 'chat.json', '--svg', 'link.svg'])).code).toBe(0);
    expect(lstatSync(path.join(cwd, 'link.svg')).isSymbolicLink()).toBe(true);
    expect(readFileSync(path.join(cwd, 'real.svg'), 'utf8')).toMatch(/^<svg /);
  });

  it('draws a picture in which names are escaped', async () => {
    const config = fallback(target('<script>"&\u0007'), target('b'));
    const cwd = folderOf({ config });
    const { code } = await runGw(cwd, ['simulate', 'chat.json', '--svg', 'course.svg']);
    const svg = readFileSync(path.join(cwd, 'course.svg'), 'utf8');
    expect(code).toBe(0);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]+>\n<title>/);
    expect(svg).toContain('calls of &lt;script&gt;&quot;&amp;\ufffd</text>');
    expect(svg).not.toContain('<script');
  });

  it.each<[string, Partial<Files>, string]>([
    [
      'an unknown member',
      { traffic: { raet: 1 } },
      'In traffic.json, raet is not a member that is read. Did you mean "rate"?',
    ],
    [
      'a rate that is not a number',
      { traffic: { rate: '5' } },
      'In traffic.json, rate must be a number from 0 to 100000.',
    ],
    ['a list in place of the traffic', { traffic: [] }, 'In traffic.json, The file must be an object.'],
    [
      'an empty list of requests',
      { traffic: { requests: [] } },
      'In traffic.json, requests must be a list of 1 to 1000 objects.',
    ],
    [
      'a latency of an unknown target',
      { traffic: { latency: [{ target: 'aa' }] } },
      'In traffic.json, latency[0].target is "aa", and the config has no such target. ',
    ],
    [
      'a 95th percentile below the median',
      { traffic: { latency: [{ median_ms: 9, p95_ms: 1 }] } },
      'In traffic.json, a "p95_ms" of "latency" is below its "median_ms".',
    ],
    [
      'too many requests',
      { traffic: { rate: 100_000, duration_s: 604_800 } },
      'The traffic of traffic.json is about 60480000000 requests, and a simulation has at most 100000.',
    ],
    [
      'an unknown path',
      { traffic: { ...minute, requests: [{ path: '/nowhere' }] } },
      'A request of the traffic cannot be served.',
    ],
    [
      'a failure without an effect',
      { failures: [{ target: 'a' }] },
      'In failures.json, a failure does not specify what goes wrong.',
    ],
    [
      'a failure that ends before it begins',
      { failures: [{ status: 500, from_s: 9, to_s: 3 }] },
      'In failures.json, a failure ends at 3 s, before it begins.',
    ],
    [
      'a failure of an unknown provider',
      { failures: [{ status: 500, provider: 'opnai' }] },
      'In failures.json, failures[0].provider is "opnai", and the config has no such provider.',
    ],
    [
      'an unknown error',
      { failures: [{ error: 'explodes' }] },
      'In failures.json, failures[0].error must be one of refused, hang, cut.',
    ],
  ])('rejects %s', async (_, files, message) => {
    const all = { config: target('a'), ...files };
    const { code, out, err } = await runGw(folderOf(all), argvOf(all));
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});
