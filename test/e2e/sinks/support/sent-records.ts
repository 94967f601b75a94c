import { gunzipSync } from 'node:zlib';
import { beforeAll, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import type { GatewayProcess, GatewayStart } from '../../../support/gateways/gateway-process.ts';
import { adminKey, control, serveStore, sharedStore } from '../../../support/gateways/stored-gateway.ts';
import { sharedByTests } from '../../../support/run/shared-by-tests.ts';
import {
  type ReceivedRequest,
  startUpstream,
  type TestUpstream,
  type UpstreamHandler,
} from '../../../support/servers/upstream-server.ts';
import type { Logged } from '../../logs/support/logged.ts';

const accept: UpstreamHandler = (call) => call.answer({ status: 200 });

/** Starts a receiver of records on this machine. It ends with the test. */
export const startReceiver = async (handler: UpstreamHandler = accept): Promise<TestUpstream> => {
  const receiver = await startUpstream(handler);
  onTestFinished(() => receiver.close());
  return receiver;
};

/** Starts a receiver of records that the tests of a group share. */
export const sharedReceiver = (handler: UpstreamHandler = accept): (() => TestUpstream) =>
  sharedByTests('receiver', async (whenFinished) => {
    const receiver = await startUpstream(handler);
    whenFinished(() => receiver.close());
    return receiver;
  });

/**
 * How a gateway serves: as one process, or as several that share the sinks of their owner. `isSampled` rotates by the number:
 * each test uses one of the ways each day.
 */
export const waysToServe: readonly (readonly [way: string, settings: object, number: number])[] = [
  ['one process', {}, 0],
  ['two workers', { workers: 2 }, 1],
];

/**
 * Returns the traces of the records, in the order in which the requests were sent one by one. With several workers, the
 * records themselves have no order.
 */
export const receivedTraces = (
  { requests }: Pick<TestUpstream, 'requests'>,
  sent: readonly string[],
): readonly (string | undefined)[] =>
  receivedRecords({ requests })
    .map(({ trace_id }) => trace_id)
    .toSorted((a, b) => sent.indexOf(a) - sent.indexOf(b));

export interface SinksStart {
  readonly env?: Readonly<Record<string, string>>;
  readonly log?: object;
  readonly settings?: object;
  readonly files?: Readonly<Record<string, unknown>>;
}

const toStart = (sinks: readonly object[], { env = {}, log = {}, settings = {}, files = {} }: SinksStart) => ({
  env,
  files: { 'gateway.json': { ...settings, log: { ...log, sinks } }, ...files },
});

/** Starts a gateway with a store that sends its log to these sinks. It ends with the test. */
export const serveSinks = (sinks: readonly object[], start: SinksStart = {}): Promise<GatewayProcess> =>
  serveStore('gateway.db', { folder: temporaryFolder(), ...toStart(sinks, start) });

interface NamedSinks extends SinksStart {
  readonly sinks: readonly { readonly workspaces?: readonly string[]; readonly [option: string]: unknown }[];
}

/**
 * Starts such a gateway for the tests of a group, which identify sinks by name. A sink for the records of a single test has
 * its own workspace, which is saved here under that slug.
 */
export const sharedSinks = (toStartWith: () => NamedSinks): (() => GatewayProcess) => {
  const gateway = sharedStore((): GatewayStart => {
    const { sinks, ...start } = toStartWith();
    return toStart(sinks, start);
  });
  beforeAll(async () => {
    const slugs = new Set(toStartWith().sinks.flatMap(({ workspaces = [] }) => workspaces));
    for (const slug of slugs)
      if (slug !== 'default') await control(gateway(), 'POST /workspaces', { body: { name: slug, slug } });
  });
  return gateway;
};

/** Sends a request to the provider that answers within the process. Returns the trace. */
export const ask = async (
  { baseUrl }: Pick<GatewayProcess, 'baseUrl'>,
  {
    text = 'Hello?',
    key = adminKey,
    headers = {},
    body = {},
  }: {
    readonly text?: string;
    readonly key?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: object;
  } = {},
): Promise<string> => {
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-api-key': key, 'x-gw-provider': 'echo', ...headers },
    body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: text }], ...body }),
  });
  await answer.text();
  return answer.headers.get('x-gw-trace-id') ?? '';
};

/** Returns the text of a body, decoded. */
export const bodyText = ({ header, body }: Pick<ReceivedRequest, 'header' | 'body'>): string =>
  (header('content-encoding') === 'gzip' ? gunzipSync(body) : body).toString();

/** Returns the records that a receiver of arrays got, in order. */
export const receivedRecords = ({ requests }: Pick<TestUpstream, 'requests'>): readonly Logged[] =>
  requests.flatMap((request) => JSON.parse(bodyText(request)));

/** Returns the header that selects the workspace of a request. */
export const inWorkspace = (slug: string): Readonly<Record<string, string>> => ({ 'x-gw-workspace': slug });

/** Returns what `/readyz` reports about the sinks. */
export const sinkStatus = async ({ origin }: Pick<GatewayProcess, 'origin'>): Promise<readonly Logged[]> => {
  const answer = await fetch(`${origin}/readyz`, { headers: { 'x-gw-api-key': adminKey } });
  const page: Logged = await answer.json();
  return page.store?.log?.sinks ?? [];
};

/** Returns what `/readyz` reports about one of the sinks. */
export const statusOf = async (gateway: Pick<GatewayProcess, 'origin'>, name: string): Promise<Logged> =>
  (await sinkStatus(gateway)).find((sink) => sink.name === name);
