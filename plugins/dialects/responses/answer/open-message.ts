import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import type { BlockEvent } from '../../shared/answer/block-event.ts';
import type { ItemWriter } from './event-writer.ts';
import { type ContentEvent, type LateCitation, OpenContent } from './open-content.ts';
import type { OpenItem } from './open-item.ts';
import { type ItemStatus, messageItem } from './output-items.ts';

export const isContentEvent = (event: BlockEvent): event is ContentEvent =>
  event.kind === 'text' || event.kind === 'refusal' || event.kind === 'citation' || event.kind === 'logprobs';

/** A message: consecutive texts and refusals. */
export class OpenMessage implements OpenItem {
  readonly isWaiting = false;
  readonly #writer: ItemWriter;
  readonly #content: JsonObject[] = [];
  /** Block → its text, which has ended, and the text's index. */
  readonly #ended = new Map<number, { readonly text: OpenContent; readonly index: number }>();
  #status: ItemStatus = 'in_progress';
  #open: OpenContent | undefined;

  constructor(writer: ItemWriter) {
    this.#writer = writer;
  }

  begin(): readonly Frame[] {
    return [this.#writer.added(messageItem(this.#writer.id, 'in_progress', []))];
  }

  push(event: BlockEvent): readonly Frame[] | undefined {
    if (event.kind === 'block-end') return event.block === this.#open?.block ? this.#endContent() : undefined;
    if (!isContentEvent(event)) return undefined;
    return [...this.#beginContent(event), ...(this.#open?.push(event) ?? [])];
  }

  /** Adds a part that only this format has. */
  add(part: JsonObject): readonly Frame[] {
    const ended = this.#endContent();
    const at = { content_index: this.#content.length, part };
    this.#content.push(part);
    return [...ended, this.#writer.part('content_part.added', at), this.#writer.part('content_part.done', at)];
  }

  end(status: ItemStatus): { readonly frames: readonly Frame[]; readonly item: JsonObject } {
    const frames = this.#endContent();
    this.#status = status;
    const { item } = this;
    return { frames: [...frames, this.#writer.done(item)], item };
  }

  /** Returns the message with all texts that have ended. */
  get item(): JsonObject {
    return messageItem(this.#writer.id, this.#status, [...this.#content]);
  }

  /**
   * Adds a citation to a text that has ended, because some providers name their sources last. Returns undefined if the text is
   * not part of this message.
   */
  citeEnded({ block, citation }: LateCitation): readonly Frame[] | undefined {
    const ended = this.#ended.get(block);
    if (ended === undefined) return undefined;
    const { frames, part } = ended.text.cite(citation);
    this.#content[ended.index] = part;
    return frames;
  }

  #beginContent(event: ContentEvent): readonly Frame[] {
    if (this.#open?.block === event.block && this.#open.isRefusal === (event.kind === 'refusal')) return [];
    const ended = this.#endContent();
    this.#open = new OpenContent(this.#writer, this.#content.length, event);
    return [...ended, this.#open.begin()];
  }

  #endContent(): readonly Frame[] {
    if (this.#open === undefined) return [];
    const { frames, part } = this.#open.end();
    const index = this.#content.push(part) - 1;
    if (!this.#open.isRefusal) this.#ended.set(this.#open.block, { text: this.#open, index });
    this.#open = undefined;
    return frames;
  }
}
