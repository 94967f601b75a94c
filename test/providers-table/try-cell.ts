import assert from 'node:assert/strict';
import { builtinDialects } from '../../plugins/dialects/builtin-dialects.ts';
import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { operationTranslation } from '../../plugins/sdk/dialect/operation-translation.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { operationSamples } from '../operations-table/samples.ts';
import type { ReceivedRequest, TestUpstream } from '../support/servers/upstream-server.ts';
import type { OfficialClient, Place, SecretHeaders } from './clients/official-client.ts';
import { clientOf } from './clients/official-clients.ts';
import { basePathOf, credentialOf, modelOf, secretHeaders } from './targets.ts';
import { hear } from './upstream/hear.ts';
import { providerSamples } from './upstream/provider-samples.ts';
import { readBody } from './upstream/read-body.ts';
import { type VendorForm, vendorForms } from './upstream/vendor-forms.ts';

/** A provider and a format that it supports, with a gateway and a config that selects the provider. */
export interface Cell {
  readonly provider: Provider;
  readonly dialect: Dialect;
  readonly gateway: string;
  readonly config: JsonObject;
  readonly upstream: TestUpstream;
}

/** The result of trying a cell. */
export interface Tried {
  /** The library that sent the request; undefined for a plain request. */
  readonly client: string | undefined;
  /** The request that the provider received; undefined if the provider runs in process. */
  readonly request: ReceivedRequest | undefined;
}

const text = 'Hello.';

const lacks = (what: string): never => {
  throw new Error(what);
};

const isClients = ({ routes = [] }: Dialect): boolean => routes.length > 0;

/** Returns the dialect that clients use for the provider's dialect: the same one, or one that is translated to it. */
const clientDialect = (dialect: Dialect): Dialect =>
  isClients(dialect)
    ? dialect
    : (builtinDialects.find((each) => isClients(each) && operationTranslation(each, dialect) !== undefined) ??
      lacks(`No client's format is translated to ${dialect.id}.`));

const asVendor = (answer: JsonObject, { leavesOut = [], answer: own = {} }: VendorForm = {}): JsonObject => ({
  ...Object.fromEntries(Object.entries(answer).filter(([name]) => !leavesOut.includes(name))),
  ...own,
});

/** Returns the response to a request that contains the text. */
const answerOf = ({
  provider,
  dialect: { id, operation },
}: Pick<Cell, 'provider' | 'dialect'>): JsonObject | Buffer => {
  const answer = operationSamples[id]?.answer(text) ?? providerSamples[id]?.answer;
  if (Buffer.isBuffer(answer)) return answer;
  if (answer !== undefined) return asVendor(answer, vendorForms[provider.id]?.[id]);
  return lacks(
    `Add a request and an answer of ${id} (${operation}) to test/operations-table/samples.ts, or if it has no clients its answer to test/providers-table/upstream/provider-samples.ts.`,
  );
};

/** Sends a plain request. Returns the whole response body, or undefined if the response is translated. */
const askPlainly = async (
  { origin, headers, model }: Place,
  asked: Dialect,
  isOwn: boolean,
): Promise<string | undefined> => {
  const [{ path: pattern } = lacks(`${asked.id} has no route.`)] = asked.routes ?? [];
  const path = pattern.replace('{model}', encodeURIComponent(model));
  const { request } = operationSamples[asked.id] ?? lacks(`Add ${asked.id} to test/operations-table/samples.ts.`);
  const body = request(text);
  const answer = await fetch(`${origin}${path.startsWith('/v') ? '' : '/v1'}${path}`, {
    method: 'POST',
    headers: { ...headers, ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }) },
    body: body instanceof FormData ? body : JSON.stringify(body),
  });
  const got = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status}: ${got}`);
  return isOwn ? got : undefined;
};

interface Served {
  readonly heard: readonly ReceivedRequest[];
  readonly refused: readonly string[];
}

/** Serves the provider, and records the requests that it receives and why it refuses any. */
const serve = ({ provider, dialect, upstream }: Cell, caller: SecretHeaders): Served => {
  const heard: ReceivedRequest[] = [];
  const refused: string[] = [];
  const answer = answerOf({ provider, dialect });
  upstream.handle(async (call) => {
    heard.push(call.request);
    try {
      await hear(call.request, { provider, dialect, caller });
    } catch (thrown) {
      refused.push(String(thrown));
      call.json({ error: { message: String(thrown) } }, { status: 400 });
      return;
    }
    if (Buffer.isBuffer(answer)) call.answer({ headers: { 'content-type': 'audio/mpeg' }, body: answer });
    else call.json(answer);
  });
  return { heard, refused };
};

const assertSaid = (got: string, answer: JsonObject | Buffer): void => {
  const said = Buffer.isBuffer(answer) ? answer.toString() : JSON.stringify(answer);
  assert.ok(got !== '' && said.includes(got), `The client read "${got}" of ${said}.`);
};

/** Returns the result. If the provider refused a request, rejects with its reason, because libraries might omit it. */
const mapRefusal = async <Read>(read: Promise<Read>, refused: readonly string[]): Promise<Read> => {
  const [result] = await Promise.allSettled([read]);
  assert.deepEqual(refused, []);
  return result.status === 'fulfilled' ? result.value : Promise.reject(result.reason);
};

/** Sends a request to the provider through the gateway. */
export const tryCell = async (cell: Cell): Promise<Tried> => {
  const { provider, dialect, gateway, config } = cell;
  const asked = clientDialect(dialect);
  const client = clientOf(asked.id);
  const model = modelOf(provider, dialect.id);
  const override = client === undefined ? { override_params: { model } } : {};
  const headers = { 'x-gw-config': JSON.stringify({ ...config, ...override }) };
  const place: Place = { origin: gateway, base: '/v1', key: 'not-sent', headers, model };
  const { heard, refused } = serve(cell, secretHeaders(provider));
  const read = client?.asks[asked.id]?.(place, text) ?? askPlainly(place, asked, asked === dialect);
  const got = await mapRefusal(read, refused);
  if (provider.inProcess === undefined) {
    assert.equal(heard.length, 1);
    if (got !== undefined) assertSaid(got, answerOf(cell));
  } else assert.deepEqual(heard, []);
  return { client: client?.library, request: heard[0] };
};

/** Omits flags that are `false`, because libraries may either send or omit them. */
const saidIn = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== false));

interface Comparable {
  readonly line: string;
  readonly type: string | undefined;
  readonly body: JsonObject;
}

const toComparable = async (request: ReceivedRequest): Promise<Comparable> => ({
  line: `${request.method} ${request.path}`,
  type: request.header('content-type')?.split(';')[0],
  body: saidIn(await readBody(request)),
});

/** Sends the same request to the same server with the vendor's own library, and checks that the gateway sent the same. */
export const compareWithVendor = async (
  cell: Cell,
  vendor: OfficialClient,
  request: ReceivedRequest,
): Promise<void> => {
  const { provider, dialect, upstream } = cell;
  const ask = vendor.asks[dialect.id] ?? lacks(`${vendor.library} does not have ${dialect.id}.`);
  const [key = ''] = Object.values(credentialOf(provider));
  const base = basePathOf(provider);
  const caller = vendor.keyHeaders?.(key) ?? secretHeaders(provider);
  const { heard, refused } = serve(cell, caller);
  const model = modelOf(provider, dialect.id);
  const got = await mapRefusal(ask({ origin: upstream.origin, base, key, headers: {}, model }, text), refused);
  assertSaid(got, answerOf(cell));
  const [own = lacks(`${vendor.library} sent nothing.`)] = heard;
  const sent = await toComparable(request);
  const writtenOut = vendor.writesOut?.[dialect.id] ?? {};
  assert.deepEqual({ ...sent, body: { ...writtenOut, ...sent.body } }, await toComparable(own));
};
