import type { BoundValue } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import type { BlockEvent } from '../../shared/answer/block-event.ts';
import { tagEncrypted } from '../parts/encrypted-content.ts';
import { encodeReasoning, summaryText } from '../parts/reasoning-item.ts';
import type { ItemWriter } from './event-writer.ts';
import type { OpenItem } from './open-item.ts';

/** Whether an event has content. A block of reasoning may begin before there is any. */
export const saysReasoning = (event: BlockEvent): boolean =>
  event.kind === 'reasoning' && (event.summary !== undefined || event.bound !== undefined || (event.text ?? '') !== '');

/**
 * The reasoning of one block: its text, the parts of its summary, and the value that only its maker can read. The text is also a
 * part of the summary, because clients show only that.
 */
export class OpenReasoning implements OpenItem {
  readonly isWaiting = false;
  readonly #writer: ItemWriter;
  readonly #block: number;
  readonly #summary: string[] = [];
  /** The index of the text in the summary. */
  #textAt: number | undefined;
  #bound: BoundValue | undefined;

  constructor(writer: ItemWriter, block: number) {
    this.#writer = writer;
    this.#block = block;
  }

  begin(): readonly Frame[] {
    return [this.#writer.added(encodeReasoning({ text: '' }, { id: this.#writer.id }))];
  }

  push(event: BlockEvent): readonly Frame[] | undefined {
    if (event.block !== this.#block) return undefined;
    if (event.kind !== 'reasoning') return event.kind === 'block-end' ? [] : undefined;
    if (event.bound !== undefined) this.#bound = event.bound;
    const { text = '', summary } = event;
    return [
      ...(text === '' ? [] : this.#say(text)),
      ...(summary === undefined ? [] : this.#write(this.#toShownPlace(summary.index), summary.text)),
    ];
  }

  end(): { readonly frames: readonly Frame[]; readonly item: JsonObject } {
    const encrypted = this.#bound && tagEncrypted(this.#bound);
    const item = encodeReasoning({ text: '', summary: this.#summary }, { id: this.#writer.id, encrypted });
    return { frames: [...this.#summaryDone(), this.#writer.done(item)], item };
  }

  #say(text: string): readonly Frame[] {
    this.#textAt ??= this.#summary.length;
    return this.#write(this.#textAt, text);
  }

  /** Returns the index of a part in the shown summary. The parts after the text are moved by one. */
  #toShownPlace(index: number): number {
    return this.#textAt !== undefined && index >= this.#textAt ? index + 1 : index;
  }

  #write(index: number, text: string): readonly Frame[] {
    const frames: Frame[] = [];
    while (this.#summary.length <= index) {
      const at = { summary_index: this.#summary.length };
      frames.push(this.#writer.part('reasoning_summary_part.added', { ...at, part: summaryText('') }));
      this.#summary.push('');
    }
    this.#summary[index] += text;
    if (text !== '')
      frames.push(this.#writer.part('reasoning_summary_text.delta', { summary_index: index, delta: text }));
    return frames;
  }

  #summaryDone(): readonly Frame[] {
    return this.#summary.flatMap((text, index) => [
      this.#writer.part('reasoning_summary_text.done', { summary_index: index, text }),
      this.#writer.part('reasoning_summary_part.done', { summary_index: index, part: summaryText(text) }),
    ]);
  }
}
