import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../support/upstream-server.ts';
import { openaiAnswer } from '../support/vendors/openai-wire.ts';

type Headers = Readonly<Record<string, string>>;

const callers = { first: 'key-one', second: 'key-two', stranger: 'key-three' };
type Caller = keyof typeof callers;

const breaker = { cb_config: { failure_threshold: 1, cooldown_interval: 600_000, failure_status_codes: [401, 502] } };
const deadHost = { 'x-gw-custom-host': 'http://127.0.0.1:1/v1' };
const good = 'Bearer good';
const bad = 'Bearer bad';

interface Failure {
  readonly name: string;
  /** A config of the operator. */
  readonly config: string;
  readonly failing: Headers;
  /** What others send, beside the same config. */
  readonly others: Headers;
}

/** What a caller may choose that makes the first target of a plan fail for itself alone. */
const failures: readonly Failure[] = [
  { name: 'a host', config: 'inline', failing: deadHost, others: {} },
  { name: 'a host for a saved provider', config: 'saved', failing: deadHost, others: {} },
  { name: 'a credential', config: 'forwarding', failing: { authorization: bad }, others: { authorization: good } },
  {
    name: 'a host for the same credential',
    config: 'forwarding-host',
    failing: { authorization: good, ...deadHost },
    others: { authorization: good },
  },
  {
    name: 'a key of another gateway',
    config: 'forwarding-key',
    failing: { authorization: good, 'ocp-apim-subscription-key': 'bad' },
    others: { authorization: good, 'ocp-apim-subscription-key': 'good' },
  },
];

describe('a circuit', () => {
  let upstream: TestUpstream;
  let spare: TestUpstream;
  let gateway: GatewayProcess;
  let isDown = false;

  const group = (first: object): object => ({
    strategy: { mode: 'fallback' },
    targets: [
      { ...breaker, custom_host: `${upstream.origin}/v1`, ...first },
      { provider: 'ollama', custom_host: `${spare.origin}/v1` },
    ],
  });

  beforeAll(async () => {
    const answer = openaiAnswer({ text: 'Hello!' });
    upstream = await startUpstream((call) => {
      const keys = ['authorization', 'ocp-apim-subscription-key'].map((name) => call.request.header(name) ?? '');
      if (isDown) call.json({}, { status: 502 });
      else if (keys.some((key) => key.includes('bad'))) call.json({}, { status: 401 });
      else call.json(answer);
    });
    spare = await startUpstream((call) => call.json(answer));
    const forwarding = { provider: 'openai', forward_headers: ['Authorization', 'Ocp-Apim-Subscription-Key'] };
    const key = (id: string, tenant: string): object => ({ id, key: `\${env:${id.toUpperCase()}}`, tenant });
    const { origin } = upstream;
    gateway = await startGateway({
      files: {
        'gateway.json': {
          configs: 'configs',
          auth: { keys: [key('first', 'one'), key('second', 'one'), key('stranger', 'two')] },
          providers: { local: { provider: 'ollama', settings: { custom_host: `${origin}/v1` } } },
        },
        'configs/inline.json': group({ provider: 'ollama' }),
        'configs/saved.json': group({ provider: '@local', custom_host: undefined }),
        'configs/forwarding.json': group(forwarding),
        // Others, so that no test meets the state that another left.
        'configs/forwarding-host.json': group({ ...forwarding, override_params: { top_p: 0.1 } }),
        'configs/forwarding-key.json': group({ ...forwarding, override_params: { top_p: 0.2 } }),
        'configs/operated.json': group({ provider: 'openai', api_key: '${env:SAVED}' }),
      },
      env: { FIRST: callers.first, SECOND: callers.second, STRANGER: callers.stranger, SAVED: 'saved' },
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await Promise.all([upstream.close(), spare.close()]);
  });

  /** Sends one request; which target answered it. */
  const ask = async (caller: Caller, config: string, headers: Headers = {}): Promise<string | null> => {
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gw-api-key': callers[caller],
        'x-gw-config': config,
        ...headers,
      },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
    });
    await answer.arrayBuffer();
    return answer.headers.get('x-gw-last-used-option-index');
  };

  it.each(failures)('that a caller opens by $name is closed for all others', async ({ config, failing, others }) => {
    const before = upstream.requests.length + spare.requests.length;
    await ask('first', config, failing);
    for (const caller of ['first', 'second', 'stranger'] as const)
      expect(await ask(caller, config, others), caller).toBe('config.targets[0]');
    expect(upstream.requests.length + spare.requests.length).toBeGreaterThan(before);
  });

  it("that a caller's own config opens is closed for a config with another host or credential", async () => {
    const own = (first: object): string => JSON.stringify(group({ provider: 'openai', api_key: 'good', ...first }));
    for (const failing of [{ custom_host: deadHost['x-gw-custom-host'] }, { api_key: 'bad' }]) {
      expect(await ask('first', own(failing))).toBe('config.targets[1]');
      for (const caller of ['first', 'second', 'stranger'] as const)
        expect(await ask(caller, own({})), caller).toBe('config.targets[0]');
    }
  });

  it("of a target that is the operator's alone is shared by the callers of a tenant", async () => {
    isDown = true;
    expect(await ask('first', 'operated')).toBe('config.targets[1]');
    isDown = false;
    const before = upstream.requests.length;
    expect(await ask('second', 'operated')).toBe('config.targets[1]');
    expect(upstream.requests.length).toBe(before);
    expect(await ask('stranger', 'operated')).toBe('config.targets[0]');
  });
});
