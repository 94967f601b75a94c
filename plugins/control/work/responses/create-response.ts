import { AsyncResource } from 'node:async_hooks';
import { refuseRepeatedKey } from '../../../../schema/errors/refuse-repeated-key.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import { writeFrame } from '../../../sdk/framings/sse.ts';
import type { GatewayResponse } from '../../../sdk/http/http.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import type { OnceReply, ReceivedBody, RouteContext, RouteReply } from '../../../sdk/route/route-row.ts';
import { ok } from '../../kernel/requests/replies.ts';
import { newId } from '../../kernel/store/new-id.ts';
import { startBackground } from './background-requests.ts';
import {
  askedResponse,
  memberError,
  type ResponseOptions,
  readContinued,
  refusedMember,
  unknownResponse,
} from './one-response.ts';
import { followedAnswer, type ResponseParts } from './response-feed.ts';
import { isOwnId, ownPrefix, ResponseRewriter } from './response-rewriter.ts';
import { outputItems, sendResponse } from './sent-response.ts';
import type { StoredResponses } from './stored-responses.ts';
import { type Keep, storedAnswer } from './stored-stream.ts';

type At = Readonly<Record<'item_id' | 'output_index', string | number>>;

const partEvents = (part: JsonObject, place: At): readonly JsonObject[] => {
  const text = findText(part.text);
  return [
    { type: 'response.content_part.added', ...place, part: text === undefined ? part : { ...part, text: '' } },
    ...(text === undefined
      ? []
      : [
          { type: 'response.output_text.delta', ...place, delta: text, logprobs: [] },
          { type: 'response.output_text.done', ...place, text, logprobs: [] },
        ]),
    { type: 'response.content_part.done', ...place, part },
  ];
};

const callEvents = ({ arguments: text }: JsonObject, place: At): readonly JsonObject[] => [
  { type: 'response.function_call_arguments.delta', ...place, delta: text ?? '' },
  { type: 'response.function_call_arguments.done', ...place, arguments: text ?? '' },
];

/** Returns an item in its initial state, and the events that follow. */
const begun = (item: JsonObject, place: At): { readonly first: JsonObject; readonly events: readonly JsonObject[] } => {
  const { type } = item;
  if (type === 'function_call')
    return { first: { ...item, status: 'in_progress', arguments: '' }, events: callEvents(item, place) };
  if (type !== 'message') return { first: item, events: [] };
  const parts = toObjects(item.content);
  return {
    first: { ...item, status: 'in_progress', content: [] },
    events: parts.flatMap((part, index) => partEvents(part, { ...place, content_index: index } as At)),
  };
};

const itemEvents = (item: JsonObject, index: number): readonly JsonObject[] => {
  const place: At = { item_id: findText(item.id) ?? '', output_index: index };
  const { first, events } = begun(item, place);
  return [
    { type: 'response.output_item.added', output_index: index, item: first },
    ...events,
    { type: 'response.output_item.done', output_index: index, item },
  ];
};

/** Returns the events of an ended response, as a client of its stream reads them. */
const replayedEvents = (response: JsonObject): readonly JsonObject[] => {
  const open: JsonObject = { ...response, status: 'in_progress', output: [], usage: null };
  const events: readonly JsonObject[] = [
    { type: 'response.created', response: open },
    { type: 'response.in_progress', response: open },
    ...outputItems(response).flatMap(itemEvents),
    { type: `response.${findText(response.status) ?? 'completed'}`, response },
  ];
  return events.map((event, number) => ({ ...event, sequence_number: number }));
};

/** Creates a stream with all events of an ended response at once. */
const replayedAnswer = (response: JsonObject): GatewayResponse => ({
  status: 200,
  headers: ['content-type', 'text/event-stream; charset=utf-8'],
  origin: 'gateway',
  body: {
    kind: 'bytes',
    bytes: Buffer.from(
      replayedEvents(response)
        .map((event) => writeFrame({ event: String(event.type), data: JSON.stringify(event) }))
        .join(''),
    ),
  },
});

/** Records what is stored of a response, so that a repeated request is answered by its id. */
const notedKeep = (
  keep: Keep,
): {
  readonly keep: Keep;
  /** Returns the answer with a record of what is stored of it. */
  reply(answer: GatewayResponse): OnceReply;
} => {
  const { promise, resolve } = Promise.withResolvers<Json | undefined>();
  let keeping: Promise<Json | undefined> | undefined;
  return {
    keep(response) {
      const outcome = keep(response);
      keeping = outcome.then((made) => (made === 'kept' ? (response.id ?? undefined) : undefined));
      return outcome;
    },
    reply(answer) {
      const { body } = answer;
      if (body.kind === 'stream') body.onEnd(() => resolve(keeping));
      else resolve(keeping);
      return { reply: answer, kept: promise };
    },
  };
};

/** Answers a repeated request with the response as it is now. Throws the `GatewayError` `not-found` if it was deleted. */
const repeatedResponse = async (
  parts: Pick<ResponseParts, 'kept' | 'store' | 'feed' | 'pools'>,
  { id, streams }: { readonly id: string; readonly streams: boolean },
  { tenant, cancellation }: RouteContext,
): Promise<RouteReply> => {
  const found = await parts.kept.find(tenant, id);
  if (found === undefined) throw unknownResponse(id);
  if (!streams) return ok(found.response);
  return found.isBackground === true
    ? followedAnswer(parts, { tenant, id, cancellation, from: 0 })
    : replayedAnswer(found.response);
};

/** A request for a response: its body, and its query with the `?`. */
export interface Asking {
  readonly received: ReceivedBody;
  readonly search: string;
}

const passOn = (
  { received, search }: Asking,
  { dispatch, headers, principal }: RouteContext,
): Promise<GatewayResponse> =>
  dispatch({ method: 'POST', path: `/v1/responses${search}`, headers, received }, principal);

/**
 * Returns the body of a request that affects whether its response is stored; undefined if the control plane has nothing to do
 * with it.
 */
const findBody = ({ json }: ReceivedBody, { principal }: RouteContext): JsonObject | undefined => {
  // A key of the gateway file stores nothing in the store.
  if (principal.organisation === undefined) return undefined;
  try {
    return json?.();
  } catch {
    // The data path reports the reason.
    return undefined;
  }
};

/**
 * Rejects a body that a provider might read differently, so that it cannot continue or store another response than was checked
 * here. Throws `malformed-body`.
 */
const refuseAmbiguous = ({ body }: ReceivedBody): void => {
  const bytes = body.kind === 'bytes' ? toBuffer(body.bytes) : undefined;
  if (bytes?.includes('previous_response_id') || bytes?.includes('\\u')) refuseRepeatedKey(bytes);
};

const isPlain = ({ keeps, previous, isBackground, truncates }: ResponseOptions): boolean =>
  !keeps && previous === undefined && !isBackground && !truncates;

const keepAnswered =
  (kept: StoredResponses, body: JsonObject, { leaf }: GatewayResponse, { tenant, principal }: RouteContext): Keep =>
  (response) =>
    kept
      .keep(tenant, {
        response,
        input: body.input ?? [],
        isNative: !isOwnId(findText(response.id) ?? ''),
        ...(leaf?.maker === undefined ? {} : { maker: leaf.maker }),
        previous: findText(body.previous_response_id),
        createdBy: principal.keyId,
      })
      .catch(() => 'unavailable');

const sendAsked = async (
  { kept, now }: ResponseParts,
  { received, search }: Asking,
  { body, asked }: { readonly body: JsonObject; readonly asked: ResponseOptions },
  context: RouteContext,
): Promise<OnceReply> => {
  const { keeps, previous, truncates } = asked;
  const chain = await readContinued(kept, context.tenant, previous);
  if (chain !== undefined && 'status' in chain) return { reply: chain, kept: Promise.resolve(undefined) };
  const answer = await sendResponse({ body, received, search, keeps, truncates, chain }, context);
  const form = new ResponseRewriter({ body, keeps, id: `${ownPrefix}${newId(now())}` });
  // A stream calls it later, and it still is a change of this request.
  const { keep, reply } = notedKeep(AsyncResource.bind(keepAnswered(kept, body, answer, context)));
  return reply(await storedAnswer(answer, { form, ...(keeps ? { keep } : {}) }));
};

/** Answers with a response, and stores it if its request or its workspace says so. */
export const createResponse = async (
  parts: ResponseParts,
  asking: Asking,
  context: RouteContext,
): Promise<RouteReply> => {
  const body = findBody(asking.received, context);
  if (body === undefined) return passOn(asking, context);
  refuseAmbiguous(asking.received);
  const asked = askedResponse(body, context.principal.defaults?.keepResponses === true);
  if (isPlain(asked)) return passOn(asking, context);
  const error = memberError(body);
  if (error !== undefined) return refusedMember(error);
  const { keeps, isBackground, streams } = asked;
  const run = (): Promise<OnceReply> =>
    isBackground
      ? startBackground(parts, { body, asked }, context)
      : sendAsked(parts, asking, { body, asked }, context);
  // A response that is not stored is made again each time.
  if (!keeps && !isBackground) return (await run()).reply;
  return context.once(run, (id) => repeatedResponse(parts, { id: String(id), streams }, context));
};
