import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { DecodeAnswer, Frame, StreamDecoder } from '../../../sdk/dialect/dialect.ts';
import { findCreated } from '../../shared/answer/find-created.ts';
import { defined } from '../../shared/json/defined.ts';
import { streamCut } from '../../shared/parts/stream-cut.ts';
import { decodeStreamError } from '../parts/errors.ts';
import { decodeFinish } from './finish-reasons.ts';
import { ItemDecoder, isTranscript } from './item-decoder.ts';
import { findUsage } from './usage.ts';

/** Returns the type of an event. A proxy's error may have neither a name nor a type. */
const readType = (event: JsonObject, frame: Frame): string =>
  findText(event.type) ?? frame.event ?? (findObject(event.error) === undefined ? '' : 'error');

/** The index for events of a transcript, which may not specify the item that they belong to. */
const transcriptIndex = -1;

/** The events that always belong to an item. */
const ofItems = /^response\.(?:output_item\.|.+\.delta$)/;

/** https://platform.openai.com/docs/api-reference/responses-streaming */
class ResponsesStreamDecoder implements StreamDecoder {
  readonly #scope: string;
  readonly #items = new Map<number, ItemDecoder>();
  /** The items that another one with the same index has replaced. */
  readonly #replaced: ItemDecoder[] = [];
  readonly #doneIds = new Set<string>();
  readonly #indexById = new Map<string, number>();
  /** The index of the last item to which an event belonged. */
  #last = -1;
  #blocks = 0;
  #id = '';
  #started = false;
  #ended = false;

  constructor({ scope }: DecodeAnswer) {
    this.#scope = scope;
  }

  push(frame: Frame): readonly AnswerEvent[] {
    // Some services end their streams with [DONE], as in chat completions.
    if (this.#ended || frame.data.startsWith('[DONE]')) return [];
    const event = parseObject(frame.data);
    if (event === undefined && frame.event !== 'error')
      return this.#close({ kind: 'error', error: { message: 'An event is not a JSON object.' } });
    return this.#event(readType(event ?? {}, frame), event ?? {}, frame);
  }

  end(): readonly AnswerEvent[] {
    return this.#ended ? [] : this.#close({ kind: 'error', error: streamCut });
  }

  #event(type: string, event: JsonObject, frame: Frame): readonly AnswerEvent[] {
    switch (type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        return this.#start(findObject(event.response) ?? {});
      case 'response.completed':
      case 'response.incomplete':
        return this.#finish(findObject(event.response) ?? {}, { type, frame });
      case 'response.failed':
      case 'error':
        return this.#close({ kind: 'error', error: decodeStreamError(frame) });
      default:
        return this.#itemEvent(type, event);
    }
  }

  #itemEvent(type: string, event: JsonObject): readonly AnswerEvent[] {
    const index = this.#indexOf(type, event);
    if (index === undefined) return [];
    if (type === 'response.output_item.added') this.#replace(index);
    const item = this.#itemAt(index);
    const wire = findObject(event.item) ?? {};
    switch (type) {
      case 'response.output_item.added':
        return [...this.#start({}), ...item.start(wire)];
      case 'response.output_item.done':
        return [...this.#start({}), ...this.#finishItem(item, wire)];
      default:
        return [...this.#start({}), ...item.push(type, event)];
    }
  }

  /**
   * Returns the index of the item that an event belongs to. If the event has none, the item is found by its id, or else it is the
   * last one.
   */
  #indexOf(type: string, event: JsonObject): number | undefined {
    const id = findText(event.item_id) ?? findText(findObject(event.item)?.id);
    const index = findNumber(event.output_index) ?? this.#unnamedIndex(type, id);
    if (index === undefined || index === transcriptIndex) return index;
    if (id !== undefined) this.#indexById.set(id, index);
    this.#last = index;
    return index;
  }

  #unnamedIndex(type: string, id: string | undefined): number | undefined {
    if (isTranscript(type)) return transcriptIndex;
    if (id === undefined && !ofItems.test(type)) return undefined;
    const known = id === undefined ? undefined : this.#indexById.get(id);
    if (known !== undefined) return known;
    const isNext = type === 'response.output_item.added' || this.#items.get(this.#last)?.isDone === true;
    return isNext ? this.#last + 1 : Math.max(this.#last, 0);
  }

  /** Makes room for another item. Some services give every item the same index. */
  #replace(index: number): void {
    const before = this.#items.get(index);
    if (before?.isDone !== true) return;
    this.#items.delete(index);
    this.#replaced.push(before);
  }

  #itemAt(index: number): ItemDecoder {
    const known = this.#items.get(index);
    if (known !== undefined) return known;
    const nextBlock = (): number => {
      this.#blocks += 1;
      return this.#blocks - 1;
    };
    const item = new ItemDecoder(nextBlock, { scope: this.#scope, answer: this.#id });
    this.#items.set(index, item);
    return item;
  }

  /**
   * Returns the item of the whole output, by its id or else by its position. If an index of the stream is none of the positions,
   * the indexes jumped.
   */
  #outputItem({ id }: JsonObject, position: number, { length }: readonly JsonObject[]): ItemDecoder {
    const known = this.#indexById.get(findText(id) ?? '');
    if (known !== undefined) return this.#itemAt(known);
    const indexes = [...this.#items.keys()].toSorted((a, b) => a - b);
    return this.#itemAt((indexes.at(-1) ?? 0) < length ? position : (indexes[position] ?? position));
  }

  #finishItem(item: ItemDecoder, wire: JsonObject): readonly AnswerEvent[] {
    const id = findText(wire.id);
    if (id !== undefined) this.#doneIds.add(id);
    return item.finish(wire);
  }

  #close(last: AnswerEvent): readonly AnswerEvent[] {
    this.#ended = true;
    return [last];
  }

  #start(response: JsonObject): readonly AnswerEvent[] {
    if (this.#started) return [];
    this.#started = true;
    const created = findCreated(response.created_at);
    this.#id = findText(response.id) ?? '';
    const model = findText(response.model) ?? '';
    return [defined({ kind: 'start' as const, id: this.#id, model, created })];
  }

  /**
   * Ends the answer. The last event repeats the whole output, so items that had no end of their own are read from it. Some
   * services name it `response.completed` whatever the status of the response is.
   */
  #finish(
    response: JsonObject,
    { type, frame }: { readonly type: string; readonly frame: Frame },
  ): readonly AnswerEvent[] {
    if (response.status === 'failed' || response.status === 'cancelled')
      return this.#close({ kind: 'error', error: decodeStreamError(frame) });
    const start = this.#start(response);
    const output = toObjects(response.output);
    const rest = output.flatMap((wire, index) =>
      this.#doneIds.has(findText(wire.id) ?? '') ? [] : this.#finishItem(this.#outputItem(wire, index, output), wire),
    );
    const hasCalls = [...this.#replaced, ...this.#items.values()].some(({ isCall }) => isCall);
    const isIncomplete = type === 'response.incomplete' || response.status === 'incomplete';
    const status = isIncomplete ? 'incomplete' : 'completed';
    const usage = findUsage(response);
    return [
      ...start,
      ...rest,
      { kind: 'finish', choice: 0, finish: decodeFinish({ ...response, status }, hasCalls) },
      ...(usage === undefined ? [] : [{ kind: 'usage' as const, usage }]),
      ...this.#close({ kind: 'end' }),
    ];
  }
}

export const streamDecoder = (options: DecodeAnswer): StreamDecoder => new ResponsesStreamDecoder(options);
