import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { GatewayProcess } from '../../../support/gateway-process.ts';
import { adminKey, serveStore } from '../../../support/stored-gateway.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import {
  type ReceivedRequest,
  startUpstream,
  type TestUpstream,
  type UpstreamHandler,
} from '../../../support/upstream-server.ts';
import type { Logged } from '../../logs/support/logged.ts';

/** A receiver of records on this machine. It ends with the test. */
export const startReceiver = async (
  handler: UpstreamHandler = (call) => call.answer({ status: 200 }),
): Promise<TestUpstream> => {
  const receiver = await startUpstream(handler);
  onTestFinished(() => receiver.close());
  return receiver;
};

/** How a gateway serves: as one process, and as several that share the sinks of their owner. */
export const waysToServe: readonly (readonly [way: string, settings: object])[] = [
  ['one process', {}],
  ['two workers', { workers: 2 }],
];

/** The traces of records, in the order of requests that were sent one by one: records of several workers are in none. */
export const receivedTraces = (
  { requests }: Pick<TestUpstream, 'requests'>,
  sent: readonly string[],
): readonly (string | undefined)[] =>
  receivedRecords({ requests })
    .map(({ trace_id }) => trace_id)
    .toSorted((a, b) => sent.indexOf(a) - sent.indexOf(b));

/** A gateway with a store whose log is sent to these sinks. It ends with the test. */
export const serveSinks = (
  sinks: readonly object[],
  {
    env = {},
    log = {},
    settings = {},
    files = {},
  }: {
    readonly env?: Readonly<Record<string, string>>;
    readonly log?: object;
    readonly settings?: object;
    readonly files?: Readonly<Record<string, unknown>>;
  } = {},
): Promise<GatewayProcess> =>
  serveStore('gateway.db', {
    folder: temporaryFolder(),
    env,
    files: { 'gateway.json': { ...settings, log: { ...log, sinks } }, ...files },
  });

/** Asks the provider that answers in the process; returns the trace. */
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

/** The text of a body, without its encoding. */
export const bodyText = ({ header, body }: Pick<ReceivedRequest, 'header' | 'body'>): string =>
  (header('content-encoding') === 'gzip' ? gunzipSync(body) : body).toString();

/** The records that a receiver of arrays got, in order. */
export const receivedRecords = ({ requests }: Pick<TestUpstream, 'requests'>): readonly Logged[] =>
  requests.flatMap((request) => JSON.parse(bodyText(request)));

/** What `/readyz` shows of the sinks. */
export const sinkStatus = async ({ origin }: Pick<GatewayProcess, 'origin'>): Promise<readonly Logged[]> => {
  const answer = await fetch(`${origin}/readyz`, { headers: { 'x-gw-api-key': adminKey } });
  const page: Logged = await answer.json();
  return page.store?.log?.sinks ?? [];
};
