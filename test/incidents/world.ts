import { once } from 'node:events';
import { createServer } from 'node:net';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../support/upstream-server.ts';
import { openaiAnswer, openaiError } from '../support/vendors/openai-wire.ts';
import type { SeenAnswer } from './incident.ts';

const adminKey = 'the-admin-key-of-the-incidents-with-40-chars';

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is. */
  readonly body?: object | string;
}

/** Two gateways, one of them with a store and keys, and a provider that behaves as its path says. */
export interface World {
  readonly upstream: TestUpstream;
  readonly files: GatewayProcess;
  readonly stored: GatewayProcess;
  /** Asks the gateway with files. */
  ask(config: string | object | undefined, asked?: Asked): Promise<SeenAnswer>;
  /** Asks the gateway with a store. */
  askStored(asked: Asked): Promise<SeenAnswer>;
  /** One call of the control plane; the members of its answer. */
  control(request: string, body?: object): Promise<Readonly<Record<string, string>>>;
  /** The line of the log about an answer. */
  lineOf(answer: SeenAnswer): Promise<string>;
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
  // Each incident is at the second of two targets, so that its place is not the only one.
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
    reads: second('well', { override_params: { temperature: 0 } }),
  };
};

/** A port on which nobody listens. */
const closedPort = async (): Promise<number> => {
  const unused = await startUpstream(() => {});
  await unused.close();
  return unused.port;
};

const send = async ({ baseUrl }: GatewayProcess, { headers = {}, body = {} }: Asked): Promise<SeenAnswer> => {
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

const line = (gateway: GatewayProcess, trace: string): string | undefined =>
  gateway
    .printed()
    .split('\n')
    .find((text) => text.startsWith('{') && text.includes(`"trace":"${trace}"`));

export const openWorld = async (): Promise<World> => {
  const upstream = await startUpstream(behave);
  const plain = createServer((socket) => {
    // Its client speaks TLS.
    socket.on('error', () => {}).on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  });
  await once(plain.listen(0, '127.0.0.1'), 'listening');
  const address = plain.address();
  const plainPort = typeof address === 'object' && address !== null ? address.port : 0;
  const configFiles = Object.entries(
    configs({ origin: upstream.origin, closed: await closedPort(), plain: plainPort }),
  );
  const [files, stored] = await Promise.all([
    startGateway({
      files: {
        'gateway.json': {
          configs: 'configs',
          limits: { body_bytes: 20_000 },
          providers: { acme: { provider: 'openai', credential: { api_key: '${env:KEY}' } } },
        },
        ...Object.fromEntries(configFiles.map(([name, config]) => [`configs/${name}.json`, config])),
      },
      env: { KEY: 'k', GW_LOG: 'requests' },
    }),
    startGateway({
      args: ['--store', 'gateway.db'],
      env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), GW_LOG: 'requests' },
    }),
  ]);
  return {
    upstream,
    files,
    stored,
    ask: (config, { headers = {}, ...asked } = {}) => {
      const written = typeof config === 'object' ? JSON.stringify(config) : config;
      return send(files, {
        ...asked,
        headers: { ...(written === undefined ? {} : { 'x-gw-config': written }), ...headers },
      });
    },
    askStored: (asked) => send(stored, asked),
    control: async (request, body) => {
      const [method = 'GET', route = '/'] = request.split(' ');
      const response = await fetch(`${stored.baseUrl}${route}`, {
        method,
        headers: { 'x-gw-api-key': adminKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${request}: ${response.status} ${text}`);
      return text === '' ? {} : JSON.parse(text);
    },
    lineOf: async ({ headers }) => {
      const trace = headers.get('x-gw-trace-id') ?? '';
      for (;;) {
        const found = line(files, trace) ?? line(stored, trace);
        if (found !== undefined) return found;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    close: async () => {
      plain.close();
      await Promise.all([files.stop(), stored.stop(), upstream.close()]);
    },
  };
};
