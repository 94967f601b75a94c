import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { metricLines, readMetrics as scrape, toLines } from '../../support/gateways/read-metrics.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { lintMetrics } from '../../support/telemetry/lint-metrics.ts';
import { prometheusFamilies } from '../../support/telemetry/prometheus-families.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

/** Set `PROMTOOL=/usr/bin/promtool` to check with the program itself, too. */
const promtool = process.env.PROMTOOL;

const json = { 'content-type': 'application/json' };
const body = (more: object = {}): string =>
  JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello there.' }], ...more });

interface Asked {
  readonly config?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly path?: string;
}

const post = async ({ baseUrl }: Pick<GatewayProcess, 'baseUrl'>, asked: Asked): Promise<number> => {
  const { config, headers = {}, path = '/chat/completions' } = asked;
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { ...json, ...(config === undefined ? {} : { 'x-gw-config': config }), ...headers },
    body: body(asked.body),
  });
  await response.text().catch(() => '');
  return response.status;
};

let upstream: TestUpstream;
let gateway: GatewayProcess;

beforeAll(async () => {
  upstream = await startUpstream((call) => {
    if (call.request.header('authorization') === 'Bearer revoked') call.json({}, { status: 401 });
    else if (call.request.path.startsWith('/failing')) call.json({ error: { message: 'no' } }, { status: 503 });
    else if (call.request.path.startsWith('/broken')) {
      const stream = call.sse();
      stream.send(openaiStream({ text: 'Hello' })[0] ?? '');
      stream.frame({ choices: [{ index: 0, delta: { content: 'Hel' }, finish_reason: null }] });
      stream.cut();
    } else call.json(openaiAnswer({ text: 'Hello!' }));
  });
  const target = (name: string, path = ''): object => ({
    name,
    provider: 'openai',
    api_key: '${env:KEY}',
    custom_host: `${upstream.origin}${path}/v1`,
  });
  const breaker = { cb_config: { failure_threshold: 1, cooldown_interval: 60_000 } };
  gateway = await startGateway({
    files: {
      'gateway.json': { metrics: true, configs: 'configs' },
      'configs/main.json': {
        strategy: { mode: 'fallback' },
        targets: [{ ...target('first', '/failing'), retry: { attempts: 1 }, ...breaker }, target('second')],
      },
      'configs/cached.json': { ...target('cached'), cache: { mode: 'simple' } },
      'configs/keyed.json': {
        ...{ name: 'keyed', provider: 'openai', custom_host: `${upstream.origin}/v1` },
        keys: [{ api_key: '${env:REVOKED_KEY}', weight: 1e9 }, { api_key: '${env:KEY}' }],
      },
      'configs/hedged.json': {
        strategy: { mode: 'fallback', hedge: { after_ms: 20, budget_percent: 50 } },
        targets: [
          { name: 'slow', provider: 'echo', override_params: { echo: { delay_ms: 100 } } },
          { name: 'quick', provider: 'echo' },
        ],
      },
      'configs/broken.json': target('broken', '/broken'),
      'configs/checked.json': {
        ...target('checked'),
        input_guardrails: [{ 'default.contains': { words: ['there'], operator: 'none' }, deny: true }],
      },
    },
    env: { KEY: 'k', REVOKED_KEY: 'revoked' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

describe('/metrics', () => {
  it('reports each request, attempt, retry, fallback and circuit by the names of plans and targets', async () => {
    expect(await post(gateway, { config: 'main' })).toBe(200);
    const lines = await scrape(gateway.origin);
    expect(toLines(lines, 'gatewright_requests_total')).toMatchObject({
      '{plan="main",endpoint="chat",status="2xx",cause=""}': 1,
    });
    expect(toLines(lines, 'gatewright_attempts_total')).toMatchObject({
      '{plan="main",target="first",provider="openai",status="5xx",origin="upstream"}': 2,
      '{plan="main",target="second",provider="openai",status="2xx",origin="upstream"}': 1,
    });
    expect(toLines(lines, 'gatewright_retries_total')).toEqual({ '{plan="main",target="first"}': 1 });
    expect(toLines(lines, 'gatewright_fallbacks_total')).toEqual({ '{plan="main",group="config"}': 1 });
    expect(toLines(lines, 'gatewright_circuit_changes_total')).toEqual({
      '{plan="main",target="first",circuit="target",state="open"}': 1,
    });
    const duration = 'gatewright_request_duration_seconds_count{plan="main",endpoint="chat"}';
    expect(lines.get(duration)).toBe(1);
    expect(lines.get(duration.replace('request_duration', 'time_to_first_byte'))).toBe(1);
    const overhead = duration.replace('request_duration', 'overhead');
    expect(lines.get(overhead)).toBe(1);
    const bounds = Object.keys(toLines(lines, 'gatewright_overhead_seconds_bucket')).map(
      (labels) => /le="(.*?)"/.exec(labels)?.[1],
    );
    expect(bounds).toEqual([
      ...['0.0001', '0.00025', '0.0005', '0.001', '0.0025', '0.005', '0.01', '0.025', '0.05'],
      ...['0.1', '0.25', '0.5', '1', '+Inf'],
    ]);
    // The waits for providers, and before the retry, do not count as the gateway's overhead.
    const sum = (name: string): number => lines.get(`gatewright_${name}_seconds_sum{plan="main",endpoint="chat"}`) ?? 0;
    expect(sum('overhead')).toBeLessThan(sum('time_to_first_byte'));
    expect(lines.get('gatewright_requests_in_flight')).toBe(0);
    expect(lines.get('gatewright_log_records_dropped_total')).toBe(0);
    expect(lines.has('gatewright_nodejs_eventloop_lag_seconds')).toBe(true);
    expect(lines.has('gatewright_nodejs_heap_size_used_bytes')).toBe(true);
  });

  it('reports results of caches and checks, and failed streams', async () => {
    await post(gateway, { config: 'cached' });
    await post(gateway, { config: 'cached' });
    expect(await post(gateway, { config: 'checked' })).toBe(446);
    await post(gateway, { config: 'broken', body: { stream: true } });
    const lines = await scrape(gateway.origin);
    expect(toLines(lines, 'gatewright_cache_results_total')).toEqual({
      '{plan="cached",target="cached",result="miss"}': 1,
      '{plan="cached",target="cached",result="hit"}': 1,
    });
    expect(toLines(lines, 'gatewright_check_verdicts_total')).toEqual({
      '{check="default.contains",phase="input",verdict="fail"}': 1,
    });
    expect(toLines(lines, 'gatewright_stream_failures_total')).toEqual({
      '{plan="broken",target="broken",cause="stream-cut"}': 1,
    });
    expect(toLines(lines, 'gatewright_requests_total')).toMatchObject({
      '{plan="checked",endpoint="chat",status="4xx",cause="checks-failed"}': 1,
    });
  });

  it('creates no series for names that callers choose', async () => {
    const hostile = ['evil"name', 'evil\\name', 'evil}name', 'evil-name{plan="main"}', 'x'.repeat(2000)];
    const before = (await scrape(gateway.origin)).size;
    const ask = async (name: string): Promise<void> => {
      const config = JSON.stringify({
        name,
        strategy: { mode: 'fallback' },
        targets: [
          { name, provider: 'openai', api_key: 'k', custom_host: `${upstream.origin}/failing/v1` },
          {
            name: `${name}2`,
            provider: 'echo',
            input_guardrails: [{ 'default.contains': { words: ['q'], operator: 'none', id: name } }],
          },
        ],
      });
      await post(gateway, { config, body: { model: name } });
      await post(gateway, { headers: { 'x-gw-provider': name.slice(0, 40) }, body: { model: name } });
      await post(gateway, { config: encodeURIComponent(name).slice(0, 100) });
      await post(gateway, { path: `/${encodeURIComponent(name).slice(0, 100)}`, headers: { 'x-gw-provider': 'echo' } });
    };
    for (let round = 0; round < 20; round += 1) await Promise.all(hostile.map((name) => ask(`${name}${round}`)));
    const response = await fetch(`${gateway.origin}/metrics`);
    const text = await response.text();
    expect(text).not.toContain('evil');
    expect(text).not.toContain('xxxx');
    const lines = metricLines(text);
    expect(toLines(lines, 'gatewright_attempts_total')).toMatchObject({
      '{plan="(caller)",target="(caller)",provider="openai",status="5xx",origin="upstream"}': 100,
    });
    // A hundred names four times each, and a handful of causes and endpoints with twenty lines per histogram.
    expect(lines.size - before).toBeLessThan(200);
  });

  it('reports which of several keys served a request, and why the others failed', async () => {
    expect(await post(gateway, { config: 'keyed' })).toBe(200);
    expect(toLines(await scrape(gateway.origin), 'gatewright_key_attempts_total')).toEqual({
      '{plan="keyed",target="keyed",key="0",result="refused"}': 1,
      '{plan="keyed",target="keyed",key="1",result="served"}': 1,
    });
  });

  it('reports how often a hedge was sent, and how often its budget was spent', async () => {
    for (let nth = 0; nth < 3; nth += 1) expect(await post(gateway, { config: 'hedged' })).toBe(200);
    expect(toLines(await scrape(gateway.origin), 'gatewright_hedges_total')).toEqual({
      '{plan="hedged",group="config",result="refused"}': 2,
      '{plan="hedged",group="config",result="won"}': 1,
    });
  });

  it('satisfies the rules of promtool for every family', async () => {
    await post(gateway, { config: 'main', headers: { 'x-gw-usage': 'true' }, body: { model: 'gpt-4o' } });
    const text = await (await fetch(`${gateway.origin}/metrics`)).text();
    const families = prometheusFamilies(text);
    expect(lintMetrics(families)).toEqual([]);
    // Families of the process come from another package and are not always in use.
    const isOfProcess = (name: string): boolean => /^gatewright_(process|nodejs)_/.test(name);
    const unused = families.flatMap(({ name, samples }) => (samples.length > 0 || isOfProcess(name) ? [] : [name]));
    // A gateway without service keys refuses none, one without probes sends none, no plan here has a mirror, and the log has no
    // sink.
    expect(unused.toSorted()).toEqual([
      'gatewright_log_sink_records_total',
      'gatewright_log_sink_records_waiting',
      'gatewright_mirrors_total',
      'gatewright_probes_total',
      'gatewright_refused_keys_recent',
      'gatewright_refused_keys_total',
    ]);
    for (const name of ['process_cpu_seconds_total', 'nodejs_gc_duration_seconds', 'nodejs_active_handles'])
      expect(families.map((each) => each.name)).toContain(`gatewright_${name}`);
    if (promtool === undefined) return;
    const { status, stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('rejects requests from other web sites and other methods', async () => {
    const foreign = await fetch(`${gateway.origin}/metrics`, { headers: { origin: 'https://evil.example' } });
    expect(foreign.status).toBe(403);
    expect((await fetch(`${gateway.origin}/metrics`, { method: 'POST', body: '' })).status).toBe(405);
  });
});

describe('metrics that are off', () => {
  it('have no page', async () => {
    const off = await startGateway();
    onTestFinished(() => off.stop());
    expect((await fetch(`${off.origin}/metrics`)).status).toBe(404);
  });
});
