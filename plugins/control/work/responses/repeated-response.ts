import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import { writeFrame } from '../../../sdk/framings/sse.ts';
import type { GatewayResponse } from '../../../sdk/http/http.ts';
import type { OnceReply, RouteContext, RouteReply } from '../../../sdk/route/route-row.ts';
import { ok } from '../../kernel/requests/replies.ts';
import { followedAnswer } from './background/followed-events.ts';
import type { ResponseParts } from './background/response-parts.ts';
import { outputItems } from './input/input-items.ts';
import { unknownResponse } from './stored/asked-response.ts';
import type { Keep } from './stored-stream.ts';

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

/** An item when it begins, and what then is said of it. */
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

/** The events of a response that has ended, as a client of its stream reads them. */
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

/** A stream of a response that has ended, at once. */
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

/** A way to keep a response, with what a repetition of its request is answered by: its id, if it is kept. */
interface NotedKeep {
  readonly keep: Keep;
  /** The answer with what is kept of it. */
  reply(answer: GatewayResponse): OnceReply;
}

export const notedKeep = (keep: Keep): NotedKeep => {
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

/** Answers a repetition with the response as it is now. Throws the `GatewayError` `not-found` if it was deleted. */
export const repeatedResponse = async (
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
