import { isDeepStrictEqual } from 'node:util';
import type { AnswerEventOf } from '../../../../schema/conversation/answer.ts';
import type { Part } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import type { BlockEvent } from '../../shared/answer/block-event.ts';
import { omit } from '../../shared/json/omit.ts';
import { encodeContent, encodeWholeItem, repeatedParts } from './encode-output.ts';
import { type EventWriter, ItemWriter } from './event-writer.ts';
import { ItemIds } from './item-ids.ts';
import { OpenCall } from './open-call.ts';
import type { LateCitation } from './open-content.ts';
import type { OpenItem } from './open-item.ts';
import { isContentEvent, OpenMessage } from './open-message.ts';
import { OpenReasoning, saysReasoning } from './open-reasoning.ts';
import type { ItemStatus } from './output-items.ts';

const result: ReadonlySet<string> = new Set(['result']);

/** Returns an item as it begins: without the image that it makes. */
const begun = (item: JsonObject): JsonObject => ({
  ...omit(item, result),
  ...(item.status === undefined ? {} : { status: 'in_progress' }),
});

/**
 * Writes the items of an answer's output. An item ends when another begins, unless it is a call whose arguments are incomplete:
 * the pieces of parallel calls may alternate.
 */
export class OutputEncoder {
  readonly #events: EventWriter;
  readonly #ids: ItemIds;
  readonly #open = new Map<number, OpenItem>();
  /** Block → index of the open call. */
  readonly #calls = new Map<number, number>();
  /** The indexes of open items that end when another begins. */
  readonly #ready = new Set<number>();
  readonly #items: JsonObject[] = [];
  /** The messages by index. */
  readonly #messages = new Map<number, OpenMessage>();
  #begun = 0;
  /** Parts that the last item already includes. */
  #repeated: readonly Part[] = [];

  constructor(events: EventWriter, response: string) {
    this.#events = events;
    this.#ids = new ItemIds(response);
  }

  /** Returns the items that have ended, in order. */
  get items(): readonly JsonObject[] {
    // Items of parallel calls may end in another order than they began.
    return this.#items.flat();
  }

  push(event: BlockEvent): readonly Frame[] {
    if (event.kind === 'part') return this.#part(event);
    if ((event.kind === 'text' || event.kind === 'refusal') && event.text === '') return [];
    const late = event.kind === 'citation' ? this.#citeEnded(event) : undefined;
    if (late !== undefined) return late;
    for (const index of this.#takers(event.block)) {
      const item = this.#open.get(index);
      const frames = item?.push(event);
      if (item === undefined || frames === undefined) continue;
      this.#note(index, item);
      return frames;
    }
    return this.#beginFor(event);
  }

  /** Ends all items. The last one is incomplete if the answer is. */
  end(status: ItemStatus): readonly Frame[] {
    const last = this.#begun - 1;
    return [...this.#open.keys()].flatMap((index) => this.#end(index, index === last ? status : 'completed'));
  }

  /** Adds a citation to a text that has ended, if there is one. The end of the answer has it in its place. */
  #citeEnded(event: LateCitation): readonly Frame[] | undefined {
    for (const [index, message] of this.#messages) {
      const frames = message.citeEnded(event);
      if (frames === undefined) continue;
      if (this.#items[index] !== undefined) this.#items[index] = message.item;
      return frames;
    }
    return undefined;
  }

  /**
   * Returns the indexes of the open items that an event of a block may belong to, latest first: the last item, and the call of
   * the block.
   */
  #takers(block: number): readonly number[] {
    const last = this.#begun - 1;
    const call = this.#calls.get(block);
    return call === undefined || call === last ? [last] : [last, call];
  }

  /** Whether an item ends when another begins may change with each event. */
  #note(index: number, item: OpenItem): void {
    if (item.isWaiting) this.#ready.delete(index);
    else this.#ready.add(index);
  }

  #beginFor(event: BlockEvent): readonly Frame[] {
    if (isContentEvent(event)) return this.#begin('msg', (writer) => new OpenMessage(writer), event);
    if (event.kind === 'tool-call')
      return this.#begin(event.input === 'text' ? 'ctc' : 'fc', (writer) => new OpenCall(writer, event), event);
    if (saysReasoning(event)) return this.#begin('rs', (writer) => new OpenReasoning(writer, event.block), event);
    return [];
  }

  #writer(id: string): ItemWriter {
    const index = this.#begun;
    this.#begun += 1;
    return new ItemWriter(this.#events, { index, id });
  }

  #begin(
    prefix: 'msg' | 'rs' | 'fc' | 'ctc',
    create: (writer: ItemWriter) => OpenItem,
    event: BlockEvent,
  ): readonly Frame[] {
    const ended = this.#endOthers();
    const index = this.#begun;
    const item = create(this.#writer(this.#ids.next(prefix)));
    this.#open.set(index, item);
    if (item instanceof OpenMessage) this.#messages.set(index, item);
    if (event.kind === 'tool-call') this.#calls.set(event.block, index);
    const frames = [...ended, ...item.begin(), ...(item.push(event) ?? [])];
    this.#note(index, item);
    return frames;
  }

  #endOthers(): readonly Frame[] {
    this.#repeated = [];
    if (this.#ready.size === 0) return [];
    return [...this.#ready].sort((a, b) => a - b).flatMap((index) => this.#end(index, 'completed'));
  }

  #end(index: number, status: ItemStatus): readonly Frame[] {
    const ended = this.#open.get(index)?.end(status);
    this.#open.delete(index);
    this.#ready.delete(index);
    if (ended === undefined) return [];
    this.#items[index] = ended.item;
    return ended.frames;
  }

  #part({ part }: AnswerEventOf<'part'>): readonly Frame[] {
    const [known, ...rest] = this.#repeated;
    this.#repeated = rest;
    if (isDeepStrictEqual(part, known)) return [];
    const content = encodeContent(part);
    if (content !== undefined) return this.#addContent(content);
    const item = encodeWholeItem(part, this.#ids);
    if (item === undefined) return [];
    const ended = this.#endOthers();
    this.#repeated = repeatedParts(part);
    const index = this.#begun;
    const writer = this.#writer(findText(item.id) ?? '');
    this.#items[index] = item;
    return [...ended, writer.added(begun(item)), writer.done(item)];
  }

  /** Adds a part of a message that only this format has. */
  #addContent(part: JsonObject): readonly Frame[] {
    const last = this.#open.get(this.#begun - 1);
    if (last instanceof OpenMessage) return last.add(part);
    const ended = this.#endOthers();
    const index = this.#begun;
    const message = new OpenMessage(this.#writer(this.#ids.next('msg')));
    this.#open.set(index, message);
    this.#messages.set(index, message);
    this.#note(index, message);
    return [...ended, ...message.begin(), ...message.add(part)];
  }
}
