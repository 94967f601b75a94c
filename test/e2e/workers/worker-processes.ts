import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { type GatewayProcess, type GatewayStart, startGateway } from '../../support/gateways/gateway-process.ts';

/** Names the process that answers, and on demand does what no request should do. */
export const namingPlugin = `export default { name: 'naming', api: 1, apply(hooks) {
  hooks.response.tap('naming', (response) => ({
    ...response,
    headers: [...response.headers, 'x-worker', String(process.pid)],
  }));
  hooks.beforeRoute.tap('naming', (exchange) => {
    if (exchange.json().model === 'deadly') setTimeout(() => { throw new Error('thrown later'); }, 0);
  });
} };`;

export interface WorkersStart extends GatewayStart {
  readonly workers?: number;
  /** Members of the gateway file. */
  readonly settings?: object;
  /** Configs by their names. */
  readonly configs: Readonly<Record<string, unknown>>;
}

/** Starts a gateway of several workers, each of which names itself in its answers. */
export const startWorkers = ({
  workers = 3,
  settings = {},
  configs,
  args = [],
  files = {},
  ...more
}: WorkersStart): Promise<GatewayProcess> =>
  startGateway({
    ...more,
    args: ['--workers', String(workers), ...args],
    files: {
      'package.json': { type: 'module' },
      'naming.js': namingPlugin,
      'gateway.json': {
        configs: 'configs',
        default_config: 'main',
        plugins: [{ package: './naming.js' }],
        ...settings,
      },
      ...Object.fromEntries(Object.entries(configs).map(([name, config]) => [`configs/${name}.json`, config])),
      ...files,
    },
  });

/** Whether a process is running. A process that has ended but whose parent has not noticed yet is not. */
const isRunning = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

const parentOf = (pid: number): number | undefined => {
  try {
    return Number(/^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
};

/** Returns the ids of the running processes that a gateway has started. */
export const workersOf = ({ pid }: Pick<GatewayProcess, 'pid'>): readonly number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((each) => Number.isInteger(each) && parentOf(each) === pid && isRunning(each));

/** Returns those of the processes that are still running. */
export const stillRunning = (pids: readonly number[]): readonly number[] => pids.filter(isRunning);

export interface Answered {
  readonly status: number;
  /** The process that answered. */
  readonly worker: number;
  readonly text: string;
  /** Whether the answer is complete. */
  readonly isWhole: boolean;
}

export interface AskOptions {
  readonly path?: string;
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The agent that keeps connections open. By default each request has a new connection. */
  readonly agent?: Agent;
  /** Called with the worker when the head of the answer arrives. */
  readonly begun?: (worker: number) => void;
}

/** Sends one request. Rejects if no answer begins. */
export const ask = (
  { origin }: Pick<GatewayProcess, 'origin'>,
  {
    path = '/v1/chat/completions',
    method = 'POST',
    body = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] },
    headers = {},
    agent = new Agent(),
    begun,
  }: AskOptions = {},
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sent = request(`${origin}${path}`, {
      method,
      agent,
      headers: { ...(method === 'POST' ? { 'content-type': 'application/json' } : {}), ...headers },
    });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      let text = '';
      const worker = Number(answer.headers['x-worker']);
      begun?.(worker);
      answer.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      answer.on('error', () => {});
      answer.on('close', () => resolve({ status: answer.statusCode ?? 0, worker, text, isWhole: answer.complete }));
    });
    sent.end(method === 'POST' ? JSON.stringify(body) : undefined);
  });

/** Returns the content and the status of `/readyz`. */
export const readReady = async (gateway: Pick<GatewayProcess, 'origin'>): Promise<Record<string, unknown>> => {
  const { status, text } = await ask(gateway, { path: '/readyz', method: 'GET' });
  return { ...JSON.parse(text), code: status };
};
