import { runGw } from '../support/commands/run-gw.ts';
import { type GatewayProcess, startGateway } from '../support/gateways/gateway-process.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startPlainServer } from '../support/servers/plain-server.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../support/servers/upstream-server.ts';
import { openaiAnswer, openaiError } from '../support/vendors/openai-wire.ts';
import type { SeenAnswer } from './incident.ts';

const adminKey = 'the-admin-key-of-the-incidents-with-40-chars';

interface Asked {
  /** The service key: null to send none, absent to send an application's. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request body. A string is sent unchanged. */
  readonly body?: object | string;
}

/** A gateway with a store and config files, and a provider whose behaviour depends on the path. */
export interface World {
  readonly upstream: TestUpstream;
  /** Requests a completion from the gateway, with a config if one is given. */
  ask(config: string | object | undefined, asked?: Asked): Promise<SeenAnswer>;
  /** Calls the control plane once, and returns the members of its answer. */
  control(request: string, body?: object): Promise<Readonly<Record<string, string>>>;
  /** Resolves when the log contains all requests answered so far. */
  logged(): Promise<void>;
  /**
   * The line that `gw logs` prints for a request; undefined if the caller is unknown, because no workspace's log has such a
   * request.
   */
  readLine(answer: SeenAnswer): Promise<string | undefined>;
  close(): Promise<void>;
}

const behave: UpstreamHandler = (call) => {
  const [, kind] = call.request.path.split('/');
  switch (kind) {
    case 'wrong-key':
      return call.json(openaiError('Incorrect API key provided.', 'invalid_request_error'), { status: 401 });
    case 'down':
      return call.json(openaiError('The server had an error.', 'server_error'), { status: 500 });
    case 'away':
      return call.json(openaiError('It is being maintained.', 'server_error'), { status: 503 });
    case 'busy':
      return call.json(openaiError('Rate limit reached.', 'requests'), {
        status: 429,
        headers: { 'retry-after': '7' },
      });
    case 'unknown-model':
      return call.json(openaiError('The model does not exist.', 'invalid_request_error'), { status: 404 });
    case 'slow':
      return undefined;
    case 'html':
      return call.answer({ headers: { 'content-type': 'text/html' }, body: '<html>Welcome to the proxy.</html>' });
    case 'cut': {
      const stream = call.sse();
      stream.frame({ choices: [{ index: 0, delta: { content: 'Hel' }, finish_reason: null }] });
      return stream.cut();
    }
    default:
      return call.json(openaiAnswer({ text: 'It is plutonium.' }));
  }
};

const words = (word: string): object => ({ 'default.contains': { words: [word], operator: 'none' }, deny: true });

const configs = ({
  origin,
  closed,
  plain,
}: {
  origin: string;
  closed: number;
  plain: number;
}): Readonly<Record<string, object>> => {
  const target = (name: string, kind: string, more: object = {}): object => ({
    name,
    provider: 'openai',
    api_key: '${env:KEY}',
    custom_host: `${origin}/${kind}/v1`,
    ...more,
  });
  // Each incident is at the second of two targets, so that its target is not the only one.
  const second = (kind: string, more: object = {}): object => ({
    strategy: { mode: 'fallback', on_status_codes: [599] },
    targets: [
      {
        strategy: {
          mode: 'conditional',
          conditions: [{ query: { 'metadata.no': 'one' }, then: 'never' }],
          default: 'main',
        },
        targets: [target('never', 'well'), target('main', kind, more)],
      },
    ],
  });
  return {
    'wrong-key': second('wrong-key'),
    circuit: {
      strategy: { mode: 'fallback' },
      cb_config: { failure_threshold: 1, cooldown_interval: 600_000 },
      targets: [target('first', 'away'), target('second', 'well')],
    },
    input: second('well', { input_guardrails: [words('marmalade')] }),
    output: second('well', { output_guardrails: [words('plutonium')] }),
    slow: second('slow', { request_timeout: 150 }),
    refused: second('', { custom_host: `http://127.0.0.1:${closed}/v1` }),
    dns: second('', { custom_host: 'http://models.no-such-host.invalid/v1' }),
    tls: second('', { custom_host: `https://127.0.0.1:${plain}/v1` }),
    down: second('down', { retry: { attempts: 1 } }),
    busy: second('busy'),
    cut: second('cut'),
    html: second('html'),
    'unknown-model': second('unknown-model', { override_params: { model: 'gpt-99' } }),
    well: second('well'),
    scarce: second('well', { override_params: { model: 'scarce' } }),
    reads: second('well', { override_params: { temperature: 0 } }),
  };
};

const send = async (
  { baseUrl }: GatewayProcess,
  { headers = {}, body = {} }: Omit<Asked, 'key'>,
): Promise<SeenAnswer> => {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body:
      typeof body === 'string'
        ? body
        : JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello there.' }], ...body }),
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
};

/** The line that `gw logs` prints for a trace; undefined as long as it lists no request of the trace. */
const listed = async ({ origin, folder }: GatewayProcess, trace: string): Promise<string | undefined> => {
  Object.assign(process.env, { GW_URL: origin, GW_API_KEY: adminKey });
  const { code, out, err } = await runGw(folder, ['logs', '--trace', trace]);
  if (code !== 0) throw new Error(`gw logs failed: ${err}`);
  return out.split('\n')[1] || undefined;
};

const longestWaitMs = 10_000;

export const openWorld = async (): Promise<World> => {
  const upstream = await startUpstream(behave);
  const plain = await startPlainServer();
  const configFiles = Object.entries(configs({ origin: upstream.origin, closed: await freePort(), plain: plain.port }));
  const gateway = await startGateway({
    args: ['--store', 'gateway.db'],
    files: {
      'gateway.json': {
        configs: 'configs',
        limits: { body_bytes: 20_000 },
        providers: { acme: { provider: 'openai', credential: { api_key: '${env:KEY}' } } },
      },
      ...Object.fromEntries(configFiles.map(([name, config]) => [`configs/${name}.json`, config])),
    },
    env: { KEY: 'k', GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });
  const control: World['control'] = async (request, body) => {
    const [method = 'GET', route = '/'] = request.split(' ');
    const response = await fetch(`${gateway.baseUrl}${route}`, {
      method,
      headers: { 'x-gw-api-key': adminKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${request}: ${response.status} ${text}`);
    return text === '' ? {} : JSON.parse(text);
  };
  const { key: application = '' } = await control('POST /api-keys/workspace/service', {
    ...{ name: 'application', scopes: ['completions.write'], workspace_id: 'default' },
  });
  const ask: World['ask'] = (config, { key = application, headers = {}, ...asked } = {}) => {
    const written = typeof config === 'object' ? JSON.stringify(config) : config;
    return send(gateway, {
      ...asked,
      headers: {
        ...(key === null ? {} : { 'x-gw-api-key': key }),
        ...(written === undefined ? {} : { 'x-gw-config': written }),
        ...headers,
      },
    });
  };
  const untilListed = async (trace: string): Promise<string> => {
    for (const from = Date.now(); Date.now() < from + longestWaitMs; ) {
      const found = await listed(gateway, trace);
      if (found !== undefined) return found;
    }
    throw new Error(`gw logs does not list the trace ${trace}.`);
  };
  return {
    upstream,
    ask,
    control,
    logged: async () => {
      // Records are written in the order of requests. Once this one is listed, every earlier record is listed too, or never
      // will be.
      const later = await ask(undefined, { headers: { 'x-gw-provider': 'echo' } });
      await untilListed(later.headers.get('x-gw-trace-id') ?? '');
    },
    readLine: ({ headers }) => listed(gateway, headers.get('x-gw-trace-id') ?? ''),
    close: async () => {
      plain.close();
      await Promise.all([gateway.stop(), upstream.close()]);
    },
  };
};
