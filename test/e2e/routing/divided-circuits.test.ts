import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

/** A provider with several models and keys, one of which fails at a time. */
describe('divided circuits', () => {
  let upstream: TestUpstream;
  let spare: TestUpstream;
  let gateway: GatewayProcess;
  /** The statuses of requests by a word in their credential or model. All others get 200. */
  let failing: Readonly<Record<string, { readonly status: number; readonly headers?: Record<string, string> }>> = {};

  const target = (key: string, more: object = {}): object => ({
    ...{ provider: 'openai', api_key: `\${env:${key}}`, custom_host: `${upstream.origin}/v1` },
    ...more,
  });

  const config = (by: readonly string[], ...targets: readonly object[]): object => ({
    strategy: { mode: 'fallback' },
    cb_config: { failure_threshold: 1, cooldown_interval: 600_000 },
    breaker: { by },
    targets: [...targets, { provider: 'ollama', custom_host: `${spare.origin}/v1` }],
  });

  /** Sends a request and returns the path of the target that answered. */
  const ask = async (name: string, model: string, headers: Record<string, string> = {}): Promise<string> => {
    const response = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-config': name, ...headers },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    await response.text();
    expect(response.status).toBe(200);
    return response.headers.get('x-gw-last-used-option-index') ?? '';
  };

  beforeAll(async () => {
    const answer = openaiAnswer({ text: 'Hello!' });
    upstream = await startUpstream((call) => {
      const { model } = call.request.json();
      const said = `${call.request.header('authorization')} ${model}`;
      const found = Object.entries(failing).find(([word]) => said.includes(word))?.[1];
      if (found === undefined) call.json(answer);
      else call.json({ error: { message: 'No.' } }, found);
    });
    spare = await startUpstream((call) => call.json(answer));
    gateway = await startGateway({
      files: {
        'gateway.json': { configs: 'configs', metrics: true },
        'configs/keys.json': config(
          ['error'],
          target('BAD', { override_params: { model: 'a' } }),
          target('BAD', { override_params: { model: 'b' } }),
          target('GOOD'),
        ),
        'configs/models.json': config(['model', 'error'], target('GOOD')),
        'configs/limits.json': config(['error'], target('GOOD')),
      },
      env: { BAD: 'revoked', GOOD: 'good', GW_LOG: 'requests' },
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await Promise.all([upstream.close(), spare.close()]);
  });

  it('of a revoked key skip every target with that key, after its first failure', async () => {
    failing = { revoked: { status: 401 } };
    const before = upstream.requests.length;
    expect(await ask('keys', 'm')).toBe('config.targets[2]');
    expect(upstream.requests.length - before).toBe(3);
    expect(await ask('keys', 'm')).toBe('config.targets[2]');
    expect(upstream.requests.length - before).toBe(4);
  });

  it('of a missing or limited model do not affect other models', async () => {
    failing = { gone: { status: 404 }, busy: { status: 429, headers: { 'retry-after': '60' } } };
    const before = upstream.requests.length;
    for (const model of ['gone', 'busy'])
      for (let time = 0; time < 3; time += 1) expect(await ask('models', model), model).toBe('config.targets[1]');
    expect(upstream.requests.length - before).toBe(2);
    expect(await ask('models', 'here')).toBe('config.targets[0]');
  });

  it('of a limit close by themselves after the time that the provider requested', async () => {
    failing = { good: { status: 429, headers: { 'retry-after-ms': '1' } } };
    expect(await ask('limits', 'm')).toBe('config.targets[1]');
    failing = {};
    await expect.poll(() => ask('limits', 'm')).toBe('config.targets[0]');
  });

  it('are distinguished in the metrics and in the log', async () => {
    const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
    for (const circuit of ['credential', 'model', 'limit'])
      expect(metrics).toMatch(new RegExp(`circuit_changes_total\\{.*circuit="${circuit}",state="open"\\} [1-9]`));
    const isOpened = (event: unknown): boolean =>
      JSON.stringify(event).includes('"of":{"kind":"model","model":"gone"}');
    await expect.poll(() => gateway.records().some(({ trail }) => isOpened(trail ?? null))).toBe(true);
  });
});
