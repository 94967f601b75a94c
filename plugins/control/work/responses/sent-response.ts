import { boundMark } from '../../../../schema/conversation/bound.ts';
import { isContextOverflow } from '../../../../schema/errors/context-overflow.ts';
import { isSuccess } from '../../../../schema/http/status.ts';
import { exactText } from '../../../../schema/json/exact-numbers.ts';
import { isJsonObject, type Json, type JsonObject, writtenText } from '../../../../schema/json/json.ts';
import { findItems, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { KeptExchange } from '../../../sdk/exchange/exchange.ts';
import type { GatewayResponse, RawHeaders } from '../../../sdk/http/http.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import type { Dispatch, ReceivedBody, RouteContext } from '../../../sdk/route/route-row.ts';
import { isWithoutDestination, nativeSlug } from './one-response.ts';
import type { Chain, StoredResponse } from './stored-responses.ts';

/** Reads the input of a request as items, unchanged if the client sent items. */
const inputItems = (input: Json | undefined): readonly Json[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : (findItems(input) ?? []);

/** The prefixes of ids, by item type. */
const prefixes: ReadonlyMap<string, string> = new Map([
  ['message', 'msg'],
  ['reasoning', 'rs'],
  ['function_call', 'fc'],
  ['function_call_output', 'fco'],
  ['custom_tool_call', 'ctc'],
  ['custom_tool_call_output', 'ctco'],
]);

const textType = (role: Json | undefined): string => (role === 'assistant' ? 'output_text' : 'input_text');

/** Returns the content of a message as parts, even if it was sent without. */
const contentParts = ({ role, content }: JsonObject): Json =>
  typeof content === 'string' ? [{ type: textType(role), text: content }] : (content ?? []);

const listed = (item: JsonObject, id: string): JsonObject => {
  const type = item.type ?? 'message';
  const known = { id, ...item, type };
  return type === 'message' ? { ...known, status: item.status ?? 'completed', content: contentParts(item) } : known;
};

/** Lists the input of a response: each item has a type, and an id that is the same each time. */
export const listedInput = (response: string, input: Json): readonly JsonObject[] =>
  inputItems(input)
    .filter(isJsonObject)
    .map((item, at) => {
      const prefix = prefixes.get(writtenText(item.type ?? 'message')) ?? 'item';
      return listed(item, `${prefix}_${response.replaceAll(/[^\w-]/g, '')}_${at}`);
    });

/** Reads the items in a response's output. */
export const outputItems = ({ output }: JsonObject): readonly JsonObject[] => toObjects(output);

/** The prefix of the gateway's own reasoning ids. The dialect reads such items for every provider. */
const ownReasoning = 'rs_gw';

/**
 * Checks whether a body may contain what the dialect must read before a provider can: such ids, and values that are bound to
 * their makers.
 */
const mayBeBound = (bytes: Buffer): boolean => bytes.includes(`"${boundMark}`) || bytes.includes(`"${ownReasoning}_`);

/** Checks whether an item can be read only by the provider that stores it. */
const isReference = ({ type, id, encrypted_content: encrypted }: JsonObject): boolean =>
  type === 'item_reference' ||
  (type === 'reasoning' && typeof encrypted !== 'string' && !writtenText(id ?? '').startsWith(ownReasoning));

/** Adds the maker to reasoning, because encrypted reasoning is sent only to its maker. */
const withMaker = (item: JsonObject, scope: string | undefined): JsonObject => {
  const { type, encrypted_content: encrypted } = item;
  if (type !== 'reasoning' || typeof encrypted !== 'string' || encrypted.startsWith(boundMark)) return item;
  return scope === undefined ? item : { ...item, encrypted_content: `${boundMark}${scope}.${encrypted}` };
};

const replayed = (items: readonly Json[], scope: string | undefined): readonly Json[] =>
  items
    .filter((item) => !isJsonObject(item) || !isReference(item))
    .map((item) => (isJsonObject(item) ? withMaker(item, scope) : item));

/** Collects the items of a conversation before a new request, sent and answered, in order. */
export const rebuiltInput = (links: readonly StoredResponse[]): readonly Json[] =>
  links.flatMap(({ input, response, isNative, maker }) => [
    // An item that a client sent without a maker was for the provider that answered, if that provider speaks the client's
    // dialect.
    ...replayed(inputItems(input), isNative ? maker?.scope : undefined),
    ...replayed(outputItems(response), maker?.scope),
  ]);

/** Token counts: `200,000`, `204857`. */
const counts = /\d[\d,_]{2,}/g;

const defaultPart = 0.5;
/** Bytes are not tokens, so slightly less is kept than the numbers allow. */
const margin = 0.9;

/** Reads the error of an answer if it has the form of the dialect. */
export const readError = (bytes: Uint8Array): JsonObject | undefined =>
  findObject(parseObject(toBuffer(bytes).toString())?.error);

/**
 * Reads from an error which share of a conversation may stay: the smaller of its two largest numbers is the context window, the
 * larger one is what was sent. Undefined for any other answer.
 */
export const findOverflow = ({ status, body }: GatewayResponse): number | undefined => {
  if (isSuccess(status) || body.kind !== 'bytes') return undefined;
  const error = readError(body.bytes);
  const message = findText(error?.message) ?? '';
  if (!isContextOverflow(status, { message, code: findText(error?.code) })) return undefined;
  const numbers = (message.match(counts) ?? []).map((count) => Number(count.replaceAll(/[,_]/g, '')));
  const [used, window] = numbers.sort((a, b) => b - a);
  return used === undefined || window === undefined || window >= used ? defaultPart : (window / used) * margin;
};

/** Sets the status 400 for a conversation that is too long for its model, whatever status its provider uses. */
const withOverflowStatus = (answer: GatewayResponse): GatewayResponse =>
  findOverflow(answer) === undefined ? answer : { ...answer, status: 400 };

/** Checks whether an item begins a turn, before which other items can be omitted: a message of the user does. */
const begins = (item: Json): boolean =>
  isJsonObject(item) && (item.type ?? 'message') === 'message' && item.role === 'user';

/** Checks whether an item is never omitted. */
const isInstruction = (item: Json): boolean =>
  isJsonObject(item) && (item.type ?? 'message') === 'message' && (item.role === 'system' || item.role === 'developer');

const countBytes = (items: readonly Json[]): number => Buffer.byteLength(JSON.stringify(items));

/** Groups items that stay or go together: a message of the user with everything up to the next one. */
const toTurns = (items: readonly Json[]): readonly (readonly Json[])[] => {
  const turns: Json[][] = [];
  for (const item of items) {
    const turn = turns.at(-1);
    if (turn === undefined || begins(item)) turns.push([item]);
    else turn.push(item);
  }
  return turns;
};

/**
 * Omits the oldest turns, so that about the share `part` of their bytes, between 0 and 1, remains. Instructions and the last turn
 * stay. Undefined if nothing can be omitted.
 */
export const withoutOldest = (items: readonly Json[], part: number): readonly Json[] | undefined => {
  const turns = toTurns(items);
  const wanted = countBytes(items) * part;
  let left = countBytes(items);
  let from = 0;
  while (from < turns.length - 1 && (from === 0 || left > wanted)) {
    left -= countBytes((turns[from] ?? []).filter((item) => !isInstruction(item)));
    from += 1;
  }
  const kept = [...turns.slice(0, from).flat().filter(isInstruction), ...turns.slice(from).flat()];
  return kept.length === items.length ? undefined : kept;
};

/** A request as it goes to the data path. */
interface SentResponse {
  /** The client's body. */
  readonly body: JsonObject;
  /** The body as it was received; written from `body` if absent. */
  readonly received?: ReceivedBody;
  /** The query of the request, with its `?`; empty if absent. */
  readonly search?: string;
  /** The conversation that the request continues; absent if it refers to nothing, or if only its provider knows it. */
  readonly chain?: Chain | undefined;
  readonly keeps: boolean;
  readonly truncates: boolean;
}

/** How many times a conversation that is too long for its model is shortened at most. */
const maxTries = 3;

const toReceived = (body: JsonObject, contentType = 'application/json'): ReceivedBody => {
  const bytes = Buffer.from(exactText(body));
  return { contentType, encoding: undefined, length: bytes.length, body: { kind: 'bytes', bytes } };
};

/** Writes the request with its whole conversation, and without references to it. */
const wholeBody = ({ previous_response_id: _previous, ...body }: JsonObject, items: readonly Json[]): JsonObject => ({
  ...body,
  input: items,
});

/** Checks whether a provider no longer has the response that a request continues, or no remaining key can reach it. */
const hasForgotten = ({ status, origin, cause, body }: GatewayResponse): boolean =>
  cause === 'account-without-key' ||
  (origin === 'upstream' &&
    (status === 400 || status === 404) &&
    body.kind === 'bytes' &&
    readError(body.bytes)?.code === 'previous_response_not_found');

/**
 * Sends a request with the conversation that it continues: to the provider that has the conversation as the client wrote it, to
 * all others as items. If it is too long for its model, the oldest turns are omitted, if the request allows it.
 */
export const sendResponse = async (
  request: SentResponse,
  { dispatch, headers, principal }: Pick<RouteContext, 'headers' | 'principal'> & { readonly dispatch: Dispatch },
): Promise<GatewayResponse> => {
  const { body, received = toReceived(body), search = '', chain, keeps, truncates } = request;
  const previous = chain?.links.at(-1);
  const before = chain?.isWhole === true ? rebuiltInput(chain.links) : undefined;
  const slug = previous && nativeSlug(previous);
  const { bytes } = received.body.kind === 'bytes' ? received.body : { bytes: undefined };
  const isOwn = slug !== undefined && before !== undefined && bytes !== undefined && !mayBeBound(toBuffer(bytes));
  const made: KeptExchange = keeps ? { isNew: true } : {};
  const later: KeptExchange | undefined = slug === undefined ? (keeps ? made : undefined) : { ...made, prefers: slug };
  const first: KeptExchange | undefined = isOwn ? { ...made, prefers: slug, ownForm: { slug, body, bytes } } : later;
  // A conversation that only a provider has cannot be shortened here.
  const mayShorten = truncates && (before !== undefined || (body.previous_response_id ?? null) === null);

  const send = (items: readonly Json[] | undefined, kept: KeptExchange | undefined, to: RawHeaders) =>
    dispatch(
      {
        ...{ method: 'POST', path: `/v1/responses${search}`, headers: to },
        received: items === undefined ? received : toReceived(wholeBody(body, items), received.contentType),
        ...(kept === undefined ? {} : { kept }),
      },
      principal,
    );

  let items: readonly Json[] | undefined = before && [...before, ...inputItems(body.input)];
  let to = headers;
  let answer = await send(items, first, to);
  if (isWithoutDestination(answer) && slug !== undefined) {
    // A request that names no provider goes to the one that has the conversation.
    to = [...headers, 'x-gw-provider', `@${slug}`];
    answer = await send(items, first, to);
  }
  if (isOwn && hasForgotten(answer)) answer = await send(items, later, to);
  for (let tries = 0; mayShorten && tries < maxTries; tries += 1) {
    const part = findOverflow(answer);
    const fewer = part === undefined ? undefined : withoutOldest(items ?? inputItems(body.input), part);
    if (fewer === undefined) break;
    items = fewer;
    answer = await send(items, later, to);
  }
  return withOverflowStatus(answer);
};
