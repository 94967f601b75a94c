import type { Citation } from '../../../../schema/conversation/conversation.ts';
import { lastUpTo } from '../../wire/json/last-up-to.ts';
import { TextPlaces } from './text-places.ts';

interface TextBlock {
  readonly block: number;
  /** The byte at which it begins. */
  readonly start: number;
  text: string;
  /** Made when a place in the text is asked for, and again if the text has grown since. */
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

/** The texts of an answer, of which the format counts bytes, and a conversation the characters of one text. */
export class SpokenText {
  readonly #blocks: TextBlock[] = [];
  /** The first stretch of each block. */
  readonly #first = new Map<number, TextBlock>();
  bytes = 0;

  say(block: number, text: string): void {
    const known = this.#blocks.at(-1);
    const last = known?.block === block ? known : this.#begin(block);
    // Half of a character that the one before it completes, as pieces of some providers are cut, is no longer with it.
    const before = last.text.slice(-1);
    this.bytes += Buffer.byteLength(before + text, 'utf8') - Buffer.byteLength(before, 'utf8');
    last.text += text;
    last.places = undefined;
  }

  /** The block of the last text. */
  get lastBlock(): number | undefined {
    return this.#blocks.at(-1)?.block;
  }

  /** The characters that the bytes stand for, in the text that they begin in. */
  find(from: number, to: number): PlacedSpan | undefined {
    const found = this.#at(from);
    if (found === undefined) return undefined;
    const places = toPlaces(found);
    const span = { from: places.characterAt(from - found.start), to: places.characterAt(to - found.start) };
    return { block: found.block, span };
  }

  /** The bytes that characters of a block stand for, and their text. */
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

  /** The text that has a byte, or else the last one. */
  #at(byte: number): TextBlock | undefined {
    const blocks = this.#blocks;
    return blocks[lastUpTo(blocks.length, (index) => blocks[index]?.start ?? 0, byte)];
  }
}
