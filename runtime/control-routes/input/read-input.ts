import { headerValue } from '../../../plugins/sdk/http/http.ts';
import type { ReceivedBody, RouteInput } from '../../../plugins/sdk/route/route-row.ts';
import { invalidInput } from '../../../schema/errors/invalid-input.ts';
import { isJsonObject, isNonEmpty, type Json, type JsonObject } from '../../../schema/json/json.ts';
import type { BodyBounds } from '../../http/body/collect-body.ts';
import { receiveAll, streamOwnBody } from '../../http/body/receive-body.ts';
import type { HttpExchange } from '../../http/exchange/http-exchange.ts';
import type { InputSchemas } from './compile-rows.ts';
import { readBody } from './read-body.ts';
import { readParams } from './read-params.ts';
import { readQuery } from './read-query.ts';

export interface InputSource {
  readonly schemas: InputSchemas;
  /** How its handler reads the bytes of the body. Undefined if it does not. */
  readonly takes: 'bytes' | 'whole' | undefined;
  /** The parameters of the path as written there. */
  readonly params: Readonly<Record<string, string>>;
  /** With its `?`, or empty. */
  readonly search: string;
  readonly bounds: BodyBounds;
}

const receivedBody = (exchange: HttpExchange, takes: InputSource['takes']): ReceivedBody => {
  const {
    caller,
    request: { body, headers },
  } = exchange;
  return {
    contentType: caller.contentType,
    // A body that was decoded has no encoding any more.
    encoding: headerValue(headers, 'content-encoding'),
    length: body.kind === 'bytes' ? body.bytes.length : caller.contentLength,
    body,
    ...(takes === 'whole' ? { json: () => exchange.json() } : {}),
  };
};

/** A schema of type object accepts nothing else. */
const asObject = (value: Json): JsonObject => (isJsonObject(value) ? value : {});

/** Reads the input of a route. Throws the `GatewayError`s of `readBody`, and `invalid-input` with all problems at once. */
export const readInput = async (
  exchange: HttpExchange,
  { schemas, takes, params, search, bounds }: InputSource,
): Promise<RouteInput> => {
  const path = readParams(schemas.params, params);
  const query = readQuery(schemas.query, search);
  const body = schemas.body === undefined ? undefined : await readBody(exchange, { schema: schemas.body, bounds });
  const problems = [...path.problems, ...query.problems, ...(body?.problems ?? [])];
  if (isNonEmpty(problems)) throw invalidInput(problems);
  if (takes === 'bytes') streamOwnBody(exchange);
  if (takes === 'whole') await receiveAll(exchange, bounds);
  return {
    params: asObject(path.value),
    query: asObject(query.value),
    body: body?.value,
    received: receivedBody(exchange, takes),
  };
};
