import type { Citation } from '../../../../schema/conversation/conversation.ts';
import { lastUpTo } from '../../shared/json/last-up-to.ts';
import { TextPlaces } from './text-places.ts';

interface TextBlock {
  readonly block: number;
  /** The byte at which the text begins. */
  readonly start: number;
  text: string;
  /** Created when a place in the text is looked up, and again if the text has grown since. */
  places?: TextPlaces | undefined;
}

const toPlaces = (block: TextBlock): TextPlaces => {
  block.places ??= new TextPlaces(block.text);
  return block.places;
};

export interface PlacedSpan {
  readonly block: number;
  readonly span: NonNullable<Citation['span']>;
}

/** The texts of an answer. The format counts bytes of the whole answer, a conversation counts characters of one text. */
export class AnswerText {
  readonly #blocks: TextBlock[] = [];
  /** The first stretch of each block. */
  readonly #first = new Map<number, TextBlock>();
  bytes = 0;

  say(block: number, text: string): void {
    const known = this.#blocks.at(-1);
    const last = known?.block === block ? known : this.#begin(block);
    // Some providers split a character between two pieces, so the end of the text before is included in the count.
    const before = last.text.slice(-1);
    this.bytes += Buffer.byteLength(before + text, 'utf8') - Buffer.byteLength(before, 'utf8');
    last.text += text;
    last.places = undefined;
  }

  /** The block of the last text. */
  get lastBlock(): number | undefined {
    return this.#blocks.at(-1)?.block;
  }

  /** Converts a range of bytes to characters of the text in which the range begins. */
  find(from: number, to: number): PlacedSpan | undefined {
    const found = this.#at(from);
    if (found === undefined) return undefined;
    const places = toPlaces(found);
    const span = { from: places.characterAt(from - found.start), to: places.characterAt(to - found.start) };
    return { block: found.block, span };
  }

  /** Converts characters of a block to bytes, and returns their text. */
  toBytes(block: number, { from, to }: NonNullable<Citation['span']>): { from: number; to: number; text: string } {
    const known = this.#first.get(block);
    if (known === undefined) return { from: this.bytes, to: this.bytes, text: '' };
    const places = toPlaces(known);
    const text = known.text.slice(from, to);
    return { from: known.start + places.byteAt(from), to: known.start + places.byteAt(to), text };
  }

  #begin(block: number): TextBlock {
    const begun = { block, start: this.bytes, text: '' };
    this.#blocks.push(begun);
    if (!this.#first.has(block)) this.#first.set(block, begun);
    return begun;
  }

  /** Returns the text that contains a byte, or else the last text. */
  #at(byte: number): TextBlock | undefined {
    const blocks = this.#blocks;
    return blocks[lastUpTo(blocks.length, (index) => blocks[index]?.start ?? 0, byte)];
  }
}
