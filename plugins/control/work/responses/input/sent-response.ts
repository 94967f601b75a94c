import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { findObject } from '../../../../../schema/json/loose.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import type { KeptExchange } from '../../../../sdk/exchange/exchange.ts';
import type { GatewayResponse, RawHeaders } from '../../../../sdk/http/http.ts';
import { toBuffer } from '../../../../sdk/http/to-buffer.ts';
import type { Dispatch, ReceivedBody, RouteContext } from '../../../../sdk/route/route-row.ts';
import { namesNone } from '../stored/one-response.ts';
import type { StoredResponse } from '../stored/stored-response.ts';
import { findOverflow } from './context-overflow.ts';
import { inputItems } from './input-items.ts';
import { mayBeBound } from './rebuilt-input.ts';
import { withoutOldest } from './truncated-input.ts';

/** A request as it goes to the data path. */
export interface SentResponse {
  /** The client's. */
  readonly body: JsonObject;
  readonly received: ReceivedBody;
  /** The query of the request, with its `?`; empty if absent. */
  readonly search?: string;
  /** What came before, as items; absent if the request does not refer to anything, or only its provider knows it. */
  readonly before?: readonly Json[];
  /** The response that the request continues, where its provider has it too. */
  readonly previous?: Pick<StoredResponse, 'maker' | 'isNative'> | undefined;
  readonly keeps: boolean;
  readonly truncates: boolean;
}

/** How often a conversation that is too long for its model is shortened. */
const maxTries = 3;

const path = '/v1/responses';

const ofBytes = (received: ReceivedBody, bytes: Uint8Array): ReceivedBody => ({
  contentType: received.contentType ?? 'application/json',
  encoding: undefined,
  length: bytes.length,
  body: { kind: 'bytes', bytes },
});

/** The request with its whole conversation, and without what refers to it. */
const wholeBody = ({ previous_response_id: _previous, ...body }: JsonObject, items: readonly Json[]): JsonObject => ({
  ...body,
  input: items,
});

/** Whether a provider no longer has the response that a request continues. */
const hasForgotten = ({ status, origin, body }: GatewayResponse): boolean => {
  if (origin !== 'upstream' || (status !== 400 && status !== 404) || body.kind !== 'bytes') return false;
  return findObject(parseObject(toBuffer(body.bytes).toString())?.error)?.code === 'previous_response_not_found';
};

/** The provider that has what a request continues, for a request that names none. */
const towards = (headers: RawHeaders, slug: string): RawHeaders => [...headers, 'x-gw-provider', `@${slug}`];

/**
 * Sends a request with the conversation that it continues: to the provider that has it, as the client wrote it; to all
 * others, as items. Where it is too long for its model, the oldest turns are left out, if the request allows it.
 */
export const sendResponse = async (
  request: SentResponse,
  { dispatch, headers, principal }: Pick<RouteContext, 'headers' | 'principal'> & { readonly dispatch: Dispatch },
): Promise<GatewayResponse> => {
  const { body, received, search = '', before, previous, keeps, truncates } = request;
  const slug = previous?.isNative === true ? previous.maker?.slug : undefined;
  const { bytes } = received.body.kind === 'bytes' ? received.body : { bytes: undefined };
  const isOwn = slug !== undefined && before !== undefined && bytes !== undefined && !mayBeBound(toBuffer(bytes));
  const later: KeptExchange | undefined = slug === undefined ? (keeps ? {} : undefined) : { prefers: slug };
  const first: KeptExchange | undefined = isOwn ? { prefers: slug, ownForm: { slug, body, bytes } } : later;
  // What only a provider has cannot be shortened here.
  const mayShorten = truncates && (before !== undefined || (body.previous_response_id ?? null) === null);

  const send = (items: readonly Json[] | undefined, kept: KeptExchange | undefined, to: RawHeaders) =>
    dispatch(
      {
        ...{ method: 'POST', path: path + search, headers: to },
        received:
          items === undefined ? received : ofBytes(received, Buffer.from(JSON.stringify(wholeBody(body, items)))),
        ...(kept === undefined ? {} : { kept }),
      },
      principal,
    );

  let items = before === undefined ? undefined : [...before, ...inputItems(body.input)];
  let to = headers;
  let answer = await send(items, first, to);
  if (namesNone(answer) && slug !== undefined) {
    to = towards(headers, slug);
    answer = await send(items, first, to);
  }
  if (isOwn && hasForgotten(answer)) answer = await send(items, later, to);
  for (let tries = 0; mayShorten && tries < maxTries; tries += 1) {
    const part = findOverflow(answer);
    const fewer: readonly Json[] | undefined =
      part === undefined ? undefined : withoutOldest(items ?? inputItems(body.input), part);
    if (fewer === undefined) break;
    items = [...fewer];
    answer = await send(items, later, to);
  }
  return answer;
};
