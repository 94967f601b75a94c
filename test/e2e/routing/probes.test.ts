import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway, writeFolder } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

type UpstreamRequest = TestUpstream['requests'][number];

const breaker = { cb_config: { failure_threshold: 1, cooldown_interval: 30_000 } };

/** One provider fails and recovers, and another one always answers. */
describe('a probe', () => {
  let upstream: TestUpstream;
  let spare: TestUpstream;
  let gateway: GatewayProcess;
  /** The status that the provider answers to each method. */
  let post = 200;
  let get = 200;

  const isProbe = ({ method }: UpstreamRequest): boolean => method === 'GET';
  const probes = (): readonly UpstreamRequest[] => upstream.requests.filter(isProbe);
  const posts = (): number => upstream.requests.length - probes().length;

  const group = (first: object): object => ({
    strategy: { mode: 'fallback' },
    targets: [
      { ...breaker, provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}/v1`, ...first },
      { provider: 'ollama', custom_host: `${spare.origin}/v1` },
    ],
  });

  /** Returns the path of the target that answered. */
  const ask = async (config: string, headers: Record<string, string> = {}): Promise<string> => {
    const response = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-config': config, ...headers },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    await response.text();
    return response.headers.get('x-gw-last-used-option-index') ?? '';
  };

  const open = async (config: string, headers: Record<string, string> = {}): Promise<void> => {
    post = 503;
    expect(await ask(config, headers)).toBe('config.targets[1]');
    post = 200;
  };

  beforeAll(async () => {
    const answer = openaiAnswer({ text: 'Hello!' });
    upstream = await startUpstream((call) => {
      if (!isProbe(call.request)) call.json(post === 200 ? answer : { error: { message: 'No.' } }, { status: post });
      else if (get === 302) call.json({}, { status: 302, headers: { location: '/v1/elsewhere' } });
      else call.json({ object: 'list', data: [] }, { status: get });
    });
    spare = await startUpstream((call) => call.json(answer));
    const probe = { path: '/models', every_ms: 1000 };
    const folder = writeFolder({});
    gateway = await startGateway({
      folder,
      files: {
        'gateway.json': { configs: 'configs', metrics: true },
        ...Object.fromEntries(
          ['first', 'second', 'third', 'fourth'].map((name) => [
            `configs/${name}.json`,
            // Each test has another path, and so another leaf, so that no test sees the state that another one left.
            group({ probe: { ...probe, path: `/models/${name}` } }),
          ]),
        ),
        'configs/host.json': group({ provider: 'ollama', api_key: undefined, probe: { ...probe, path: '/host' } }),
        'configs/forwarded.json': group({
          ...{ api_key: undefined, forward_headers: ['Authorization'], probe: { ...probe, path: '/forwarded' } },
        }),
        key: 'old-key',
        'configs/rotated.json': group({ api_key: `\${file:${folder}/key}`, probe: { ...probe, path: '/rotated' } }),
        'configs/divided.json': group({ probe: { ...probe, path: '/divided' }, breaker: { by: ['error'] } }),
      },
      env: { KEY: 'operators-key', GW_TRUSTED_HOSTS: '127.0.0.1' },
    });
  });
  beforeEach(() => {
    post = 200;
    get = 200;
  });
  afterAll(async () => {
    await gateway.stop();
    rmSync(gateway.folder, { recursive: true, force: true });
    await Promise.all([upstream.close(), spare.close()]);
  });

  it('closes the circuit of a recovered provider before any request is tried there', async () => {
    get = 503;
    await open('first');
    const before = posts();
    await expect.poll(() => probes().length).toBeGreaterThan(1);
    expect(await ask('first')).toBe('config.targets[1]');
    get = 200;
    await expect.poll(() => ask('first')).toBe('config.targets[0]');
    // Only the request that the closed circuit admitted.
    expect(posts() - before).toBe(1);
    const [probe] = probes();
    expect(probe?.path).toBe('/v1/models/first');
    expect(probe?.header('authorization')).toBe('Bearer operators-key');
    expect(probe?.body.length).toBe(0);
  });

  it('is sent only while a circuit is open', async () => {
    const before = probes().length;
    expect(await ask('second')).toBe('config.targets[0]');
    await open('second');
    await expect.poll(() => ask('second')).toBe('config.targets[0]');
    expect(probes().length - before).toBe(1);
  });

  it('keeps the circuit open after a redirect, which is not followed', async () => {
    get = 302;
    await open('third');
    await expect.poll(() => probes().filter(({ path }) => path === '/v1/models/third').length).toBeGreaterThan(1);
    expect(upstream.requests.some(({ path }) => path.includes('elsewhere'))).toBe(false);
    expect(await ask('third')).toBe('config.targets[1]');
  });

  it('is not sent with a credential or to a host that a caller chose', async () => {
    const own = {
      host: { 'x-gw-custom-host': `${upstream.origin}/own/v1` },
      forwarded: { authorization: 'Bearer callers-key' },
    };
    for (const [config, headers] of Object.entries(own)) {
      await open(config, headers);
      expect(await ask(config, headers)).toBe('config.targets[1]');
    }
    await open('fourth');
    await expect.poll(() => ask('fourth')).toBe('config.targets[0]');
    expect(probes().filter(({ path }) => path.endsWith('/host') || path.endsWith('/forwarded'))).toEqual([]);
  });

  it('is rejected in the config of a caller', async () => {
    const config = JSON.stringify({ provider: 'openai', api_key: 'k', ...breaker, probe: { path: '/models' } });
    const response = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-config': config },
      body: JSON.stringify({ model: 'm', messages: [] }),
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('Only a config in one of the gateway');
  });

  it('closes a circuit that a credential opened, but not one that a rate limit opened', async () => {
    post = 401;
    await ask('divided');
    post = 200;
    await expect.poll(() => ask('divided')).toBe('config.targets[0]');
    post = 429;
    await ask('divided');
    post = 200;
    const before = probes().length;
    await open('fourth');
    await expect.poll(() => ask('fourth')).toBe('config.targets[0]');
    expect(
      probes()
        .slice(before)
        .map(({ path }) => path),
    ).toEqual(['/v1/models/fourth']);
    expect(await ask('divided')).toBe('config.targets[1]');
  });

  it('stops with its plan: after a reload, only the new credential is used', async () => {
    const keysOf = (): readonly (string | undefined)[] =>
      probes()
        .filter(({ path }) => path.endsWith('/rotated'))
        .map((probe) => probe.header('authorization'));
    const count = (key: string): number => keysOf().filter((each) => each === `Bearer ${key}`).length;
    get = 503;
    await open('rotated');
    await expect.poll(() => count('old-key')).toBeGreaterThan(0);
    writeFileSync(path.join(gateway.folder, 'key'), 'new-key');
    gateway.signal('SIGHUP');
    // The circuit of the new credential is closed.
    await expect.poll(() => ask('rotated')).toBe('config.targets[0]');
    await open('rotated');
    // The key may be read again meanwhile, and the first request after that restarts the probes.
    const countAsked = async (): Promise<number> => {
      await ask('rotated');
      return count('new-key');
    };
    await expect.poll(countAsked).toBeGreaterThan(0);
    const [before, since] = [count('old-key'), count('new-key')];
    await expect.poll(countAsked).toBeGreaterThan(since + 1);
    expect(count('old-key')).toBe(before);
  });

  it('is counted as a probe and not as a request', async () => {
    const text = await (await fetch(`${gateway.origin}/metrics`)).text();
    expect(text).toMatch(/gatewright_probes_total\{plan="first",target=".*",result="down"\} [1-9]/);
    expect(text).toMatch(/gatewright_probes_total\{plan="first",target=".*",result="up"\} 1/);
    expect(text).toMatch(/circuit_changes_total\{plan="first",target=".*",circuit="target",state="closed"\} 1/);
    expect(text).not.toContain('endpoint="pass_through"');
  });
});
