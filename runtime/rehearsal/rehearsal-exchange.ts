import { Readable } from 'node:stream';
import { gatewayError } from '../../schema/errors.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { RoutingPlan } from '../../schema/plan.ts';
import type { RequestScript } from '../../schema/request-script.ts';
import { readCallerHeaders } from '../server/caller-headers.ts';
import { HttpExchange } from '../server/http-exchange.ts';
import { matchRoute } from '../server/routes.ts';

/** A body that fits where the script has none: what dialects of conversing and of embedding ask for. */
const plainBody: JsonObject = {
  model: 'rehearsal',
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

const hasBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/** The script's request as the server would see it. A credential is made up where it brings none. */
export const rehearsalExchange = (
  { method, path, headers, metadata, body, stream = false, once, seed }: RequestScript,
  { readsParams }: Pick<RoutingPlan, 'readsParams'>,
): HttpExchange => {
  const match = matchRoute(method, path);
  if (match === undefined) throw gatewayError('unknown-route', { path });
  const raw = [
    ...(Object.keys(metadata).length === 0 ? [] : ['x-gw-metadata', headerJson(metadata)]),
    ...Object.entries(headers).flat(),
    'authorization',
    'Bearer rehearsal',
    'content-type',
    'application/json',
  ];
  const exchange = new HttpExchange({
    method,
    url: path,
    path: match.path,
    route: match.route,
    headers: raw,
    caller: readCallerHeaders(raw),
    seed,
    startedAt: 0,
  });
  const bytes = Buffer.from(
    typeof body === 'string' ? body : JSON.stringify(body ?? { ...plainBody, ...(stream ? { stream } : {}) }),
  );
  const streams = once ?? (match.route.operation === 'opaque' && body !== undefined && !readsParams);
  if (hasBody(method))
    exchange.request.body = streams ? { kind: 'stream', stream: streamOf(bytes) } : { kind: 'bytes', bytes };
  return exchange;
};
