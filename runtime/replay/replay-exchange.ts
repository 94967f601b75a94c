import { Readable } from 'node:stream';
import { gatewayError } from '../../schema/errors.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { RoutingPlan } from '../../schema/plan.ts';
import type { RequestScript } from '../../schema/request-script.ts';
import { type ExchangeStart, HttpExchange } from '../server/http-exchange.ts';
import { readCallerHeaders } from '../server/read-caller-headers.ts';
import { matchRoute } from '../server/routes.ts';

/** A body that fits where the script has none: what dialects of conversing and of embedding ask for. */
const plainBody: JsonObject = {
  model: 'replay',
  max_tokens: 16,
  messages: [{ role: 'user', content: 'Hello.' }],
  input: 'Hello.',
};

/** Header values are ASCII, so that JSON's own escapes stand for all else. */
const headerJson = (value: JsonObject): string =>
  JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** As it comes off a connection: whoever reads it has had it. */
const streamOf = (bytes: Buffer): Readable => {
  const stream = new Readable({ read: () => {} });
  stream.push(bytes);
  stream.push(null);
  return stream;
};

/** A request whose body turns out to be no JSON once its trail has so many events. */
class MalformedExchange extends HttpExchange {
  private readonly events: number;

  constructor(start: ExchangeStart, events: number) {
    super(start);
    this.events = events;
  }

  override json(): JsonObject {
    if (this.trail.length >= this.events) throw gatewayError('malformed-body', { reason: 'as it was recorded.' });
    return super.json();
  }
}

const hasBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/** The script's request as the server would see it. A credential is made up where it brings none. */
export const replayExchange = (
  { method, path, headers, metadata, body, stream = false, once, seed, ...script }: RequestScript,
  { readsParams }: Pick<RoutingPlan, 'readsParams'>,
): HttpExchange => {
  const match = matchRoute(method, path);
  if (match === undefined) throw gatewayError('unknown-route', { path });
  const raw = [
    ...(Object.keys(metadata).length === 0 ? [] : ['x-gw-metadata', headerJson(metadata)]),
    ...Object.entries(headers).flat(),
    'authorization',
    'Bearer replay',
    'content-type',
    'application/json',
  ];
  const start: ExchangeStart = {
    method,
    url: path,
    path: match.path,
    route: match.route,
    headers: raw,
    caller: readCallerHeaders(raw),
    seed,
    startedAt: 0,
  };
  const { malformed = false, recorded = [] } = script;
  const exchange = malformed ? new MalformedExchange(start, recorded.length) : new HttpExchange(start);
  // Only conversing streams.
  const asksForStream = stream && match.route.operation === 'converse';
  const bytes = Buffer.from(
    typeof body === 'string' ? body : JSON.stringify(body ?? { ...plainBody, ...(asksForStream ? { stream } : {}) }),
  );
  const streams = once ?? (match.route.operation === 'opaque' && body !== undefined && !readsParams);
  if (hasBody(method))
    exchange.request.body = streams ? { kind: 'stream', stream: streamOf(bytes) } : { kind: 'bytes', bytes };
  return exchange;
};
