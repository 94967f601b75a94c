import { type GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { withoutNames } from '../../../sdk/http/header-lines.ts';
import type { GatewayResponse } from '../../../sdk/http/http.ts';
import type { JsonReply, RouteContext } from '../../../sdk/route/route-row.ts';
import { isOwnId, isProviderId } from './response-rewriter.ts';
import type { Chain, StoredResponse, StoredResponses } from './stored-responses.ts';

/** The members of a request for a response that decide how it is made and stored. */
export interface ResponseOptions {
  readonly keeps: boolean;
  readonly previous: string | undefined;
  readonly isBackground: boolean;
  /** Whether the oldest turns are omitted if the conversation is too long for its model. */
  readonly truncates: boolean;
  readonly streams: boolean;
}

export const askedResponse = (body: JsonObject, keepsUnsaid: boolean): ResponseOptions => ({
  keeps: body.store === true || ((body.store ?? null) === null && keepsUnsaid),
  previous: findText(body.previous_response_id),
  isBackground: body.background === true,
  truncates: body.truncation === 'auto',
  streams: body.stream === true,
});

/** An invalid member, and the reason as the end of a sentence. */
interface MemberError {
  readonly param: string;
  readonly reason: string;
}

type Validate = (value: Json) => string | undefined;

const longest = { pairs: 16, key: 64, value: 512 } as const;

const metadataError: Validate = (value) => {
  if (!isJsonObject(value)) return 'must be an object';
  const pairs = Object.entries(value);
  if (pairs.length > longest.pairs) return `has ${pairs.length} pairs; it may have ${longest.pairs}`;
  if (pairs.some(([key]) => [...key].length > longest.key)) return `has a key of more than ${longest.key} characters`;
  if (pairs.some(([, text]) => typeof text !== 'string')) return 'has a value that is not a string';
  return pairs.some(([, text]) => [...String(text)].length > longest.value)
    ? `has a value of more than ${longest.value} characters`
    : undefined;
};

const between =
  (min: number, max: number): Validate =>
  (value) =>
    typeof value === 'number' && value >= min && value <= max ? undefined : `must be a number from ${min} to ${max}`;

const ofType =
  (type: 'boolean' | 'string', words: string): Validate =>
  (value) =>
    typeof value === type ? undefined : `must be ${words}`;

const listError: Validate = (value) =>
  Array.isArray(value) && value.every(isJsonObject) ? undefined : 'must be a list of objects';

const choiceError: Validate = (value) =>
  typeof value === 'string' || isJsonObject(value) ? undefined : 'must be a string or an object';

/**
 * The checks by member; an absent member is checked as null. A response repeats most of these members and must have them in the
 * form of the API.
 */
const validates: readonly (readonly [name: string, validate: Validate])[] = [
  ['store', ofType('boolean', 'true or false')],
  ['background', ofType('boolean', 'true or false')],
  ['previous_response_id', ofType('string', 'the id of a response')],
  ['metadata', metadataError],
  ['temperature', between(0, 2)],
  ['top_p', between(0, 1)],
  ['parallel_tool_calls', ofType('boolean', 'true or false')],
  ['tools', listError],
  ['tool_choice', choiceError],
  ['truncation', (value) => (value === 'auto' || value === 'disabled' ? undefined : 'must be "auto" or "disabled"')],
];

/** Returns the first invalid member of a request; undefined if there is none. The other members are validated by the provider. */
export const memberError = (body: JsonObject): MemberError | undefined => {
  for (const [param, validate] of validates) {
    const value = body[param] ?? null;
    const reason = value === null ? undefined : validate(value);
    if (reason !== undefined) return { param, reason };
  }
  return undefined;
};

/** Creates a 400 in the form of the dialect, which names the member. */
const refused = (message: string, param: string, code: string): JsonReply => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error', param, code } },
});

export const refusedMember = ({ param, reason }: MemberError): JsonReply =>
  refused(`The member ${param} ${reason}. Correct it.`, param, 'invalid_value');

/** https://platform.openai.com/docs/guides/conversation-state */
const unknownPrevious = (id: string): JsonReply =>
  refused(
    `Previous response with id '${id.slice(0, 255)}' not found. Send the whole conversation in input.`,
    'previous_response_id',
    'previous_response_not_found',
  );

/** The code is the same, because clients react to it by sending the whole conversation. */
const incompletePrevious = (id: string): JsonReply =>
  refused(
    `The response '${id.slice(0, 255)}' continues one that was deleted or has expired. Send the whole conversation in input.`,
    'previous_response_id',
    'previous_response_not_found',
  );

const unfinishedPrevious = (id: string): JsonReply =>
  refused(
    `The response '${id.slice(0, 255)}' is in progress. Wait until it has ended.`,
    'previous_response_id',
    'previous_response_in_progress',
  );

const tooLongChain = (id: string): JsonReply =>
  refused(
    `The conversation that ends with the response '${id.slice(0, 255)}' is longer than the gateway can rebuild. Send its relevant parts in input.`,
    'previous_response_id',
    'conversation_too_long',
  );

/** Rejects a request that cannot be done in the background. */
export const notInBackground = (param: string, reason: string): JsonReply =>
  refused(`A response cannot be created in the background ${reason}`, param, 'background_not_possible');

/** Rejects an operation that is not possible for a response that was not made in the background. */
export const onlyInBackground = (id: string, what: string): JsonReply =>
  refused(
    `The response '${id.slice(0, 255)}' cannot be ${what}, because it was not created with background: true.`,
    'response_id',
    'not_in_background',
  );

export const unknownResponse = (id: string): GatewayError =>
  gatewayError('not-found', {
    what: 'response',
    name: id.slice(0, 255),
    suggestion: 'Send the id of a stored response. If only a provider stores it, name that provider.',
  });

/** A request for one response. */
export interface OneResponse {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly id: string;
  /** The path after the id: `/input_items`; empty for the response itself. */
  readonly rest: string;
  readonly query: JsonObject;
}

/** Writes a query as text, with its `?`; empty if there is none. */
export const readSearch = (query: JsonObject): string => {
  const members = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, String(each)]),
  );
  return members.length === 0 ? '' : `?${new URLSearchParams(members)}`;
};

/** Sends a request to the provider that has a response; if absent, to the one that the request names. */
export const requestFromProvider = (
  { method, id, rest, query }: OneResponse,
  { dispatch, headers, principal }: RouteContext,
  slug?: string,
): Promise<GatewayResponse> =>
  dispatch(
    {
      method,
      path: `/v1/responses/${encodeURIComponent(id)}${rest}${readSearch(query)}`,
      headers: slug === undefined ? headers : [...withoutNames(headers, destinations), 'x-gw-provider', `@${slug}`],
    },
    principal,
  );

const destinations = ['x-gw-provider', 'x-gw-virtual-key', 'x-gw-config'];

/** Checks whether a request was refused because it names no destination. */
export const isWithoutDestination = ({ cause }: GatewayResponse): boolean =>
  cause === 'missing-provider' || cause === 'missing-default-config';

/** Checks whether an id must not be sent to any provider: it is the gateway's own, not an id, or that of another workspace. */
const isNobodys = async (kept: Pick<StoredResponses, 'isOfAnother'>, tenant: TenantId, id: string): Promise<boolean> =>
  isOwnId(id) || !isProviderId(id) || kept.isOfAnother(tenant, id);

/**
 * Requests a response that is not stored here from the provider that the request names. Throws the `GatewayError` `not-found`.
 */
export const requestFromNamedProvider = async (
  kept: Pick<StoredResponses, 'isOfAnother'>,
  request: OneResponse,
  context: RouteContext,
): Promise<GatewayResponse> => {
  const { id } = request;
  if (await isNobodys(kept, context.tenant, id)) throw unknownResponse(id);
  const answer = await requestFromProvider(request, context);
  if (isWithoutDestination(answer)) throw unknownResponse(id);
  return answer;
};

/** Returns the slug of the provider that also has a response. */
export const nativeSlug = ({ isNative, maker }: StoredResponse): string | undefined =>
  isNative ? maker?.slug : undefined;

/**
 * Reads what a request continues. If the chain is incomplete, only the provider of its last response may know all of it; if the
 * result is undefined, the gateway knows none of it. Resolves to the refusal if it cannot be continued.
 */
export const readContinued = async (
  kept: Pick<StoredResponses, 'chain' | 'isOfAnother'>,
  tenant: TenantId,
  id: string | undefined,
): Promise<Chain | JsonReply | undefined> => {
  if (id === undefined) return undefined;
  const chain = await kept.chain(tenant, id);
  if (chain === 'too-long') return tooLongChain(id);
  if (chain === undefined) return (await isNobodys(kept, tenant, id)) ? unknownPrevious(id) : undefined;
  const last = chain.links.at(-1);
  if (last?.response.status === 'in_progress') return unfinishedPrevious(id);
  return chain.isWhole || last?.isNative === true ? chain : incompletePrevious(id);
};
