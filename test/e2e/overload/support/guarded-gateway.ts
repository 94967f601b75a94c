import { expect, onTestFinished, vi } from 'vitest';
import { cleanEnvironment } from '../../../support/commands/clean-environment.ts';
import type { CommandProcess } from '../../../support/commands/command-process.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../../support/gateways/gateway-process.ts';
import { readMetrics, toLines } from '../../../support/gateways/read-metrics.ts';
import { patience } from '../../../support/run/patience.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../../support/servers/upstream-server.ts';

export const question: object = { model: 'm', messages: [{ role: 'user', content: 'Hello there.' }] };

/** An upstream that answers only on demand, with the calls that it received. */
export interface HeldUpstream {
  readonly upstream: TestUpstream;
  readonly calls: readonly UpstreamCall[];
  /** Resolves with the call at this index as soon as it arrives. */
  call(index: number): Promise<UpstreamCall>;
}

export const heldUpstream = async (): Promise<HeldUpstream> => {
  const calls: UpstreamCall[] = [];
  const upstream = await startUpstream((call) => void calls.push(call));
  onTestFinished(() => upstream.close());
  return {
    upstream,
    calls,
    call: async (index) => {
      await vi.waitFor(() => expect(calls.length).toBeGreaterThan(index), patience);
      const call = calls[index];
      if (call === undefined) throw new Error(`There is no call ${index}.`);
      return call;
    },
  };
};

export const target = ({ upstream }: Pick<HeldUpstream, 'upstream'>, more: object = {}): object => ({
  provider: 'openai',
  api_key: '${env:KEY}',
  custom_host: `${upstream.origin}/v1`,
  ...more,
});

const toFiles = (file: object, main: object): Readonly<Record<string, object>> => ({
  'gateway.json': { metrics: true, configs: 'configs', default_config: 'main', ...file },
  'configs/main.json': main,
});

/** Starts a gateway with a config `main`, metrics, and the given members in its file. */
export const startGuarded = (
  file: object,
  main: object,
  more: Readonly<Record<string, string | object>> = {},
): Promise<GatewayProcess> =>
  startGateway({
    files: { ...toFiles(file, main), ...more },
    env: { GW_LOG: 'requests', KEY: 'sk-of-the-target', LOW: 'key-low', NORMAL: 'key-normal', HIGH: 'key-high' },
  });

/** Starts a guarded gateway that ends with the test. */
export const guardedGateway = async (...given: Parameters<typeof startGuarded>): Promise<GatewayProcess> => {
  const gateway = await startGuarded(...given);
  onTestFinished(() => gateway.stop());
  return gateway;
};

/** Returns the message of a start that fails because of the gateway file. */
export const guardedRefusal = async (commands: CommandProcess, file: object): Promise<string> => {
  const { status, stderr } = await commands.run({
    argv: ['serve', '--port', '0', '--config', 'gateway.json'],
    cwd: temporaryFolder(toFiles(file, { provider: 'echo' })),
    env: cleanEnvironment(),
  });
  expect(status).toBe(1);
  return stderr;
};

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export const ask = async (
  { baseUrl }: GatewayProcess,
  {
    headers = {},
    body = {},
    signal,
  }: { readonly headers?: object; readonly body?: object; readonly signal?: AbortSignal } = {},
): Promise<Answer> => {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...question, ...body }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

export const readLines = async ({ origin }: GatewayProcess, name: string): Promise<Readonly<Record<string, number>>> =>
  toLines(await readMetrics(origin), `gatewright_${name}`);

/** Resolves when this many requests wait for the target. */
export const waitingAt = async (gateway: GatewayProcess, target: string, count: number): Promise<void> =>
  vi.waitFor(
    async () =>
      expect(await readLines(gateway, 'target_queue_length')).toMatchObject({
        [`{plan="main",target="${target}"}`]: count,
      }),
    patience,
  );
