import { gatewayError } from '../../schema/errors.ts';
import type { JsonObject } from '../../schema/json.ts';
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

const hasBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/** The script's request as the server would see it. A credential is made up where it brings none. */
export const rehearsalExchange = ({
  method,
  path,
  headers,
  metadata,
  body,
  stream = false,
  seed,
}: RequestScript): HttpExchange => {
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
  if (hasBody(method)) exchange.request.body = { kind: 'bytes', bytes };
  return exchange;
};
