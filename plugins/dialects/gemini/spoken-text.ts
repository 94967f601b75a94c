import type { Citation } from '../../../schema/conversation.ts';

interface TextBlock {
  readonly block: number;
  text: string;
}

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

/** The characters before a byte of the text. */
const charactersBefore = (text: string, bytes: number): number =>
  Buffer.from(text, 'utf8').subarray(0, Math.max(0, bytes)).toString('utf8').length;

export interface PlacedSpan {
  readonly block: number;
  readonly span: NonNullable<Citation['span']>;
}

/** The texts of an answer, of which the format counts bytes, and a conversation the characters of one text. */
export class SpokenText {
  readonly #blocks: TextBlock[] = [];

  say(block: number, text: string): void {
    const last = this.#blocks.at(-1);
    if (last?.block === block) last.text += text;
    else this.#blocks.push({ block, text });
  }

  /** The block of the last text. */
  get lastBlock(): number | undefined {
    return this.#blocks.at(-1)?.block;
  }

  get bytes(): number {
    return this.#blocks.reduce((sum, { text }) => sum + bytesOf(text), 0);
  }

  /** The characters that the bytes stand for, in the text that they begin in. */
  find(from: number, to: number): PlacedSpan | undefined {
    let start = 0;
    for (const { block, text } of this.#blocks) {
      const end = start + bytesOf(text);
      if (from < end || block === this.lastBlock) {
        const span = { from: charactersBefore(text, from - start), to: charactersBefore(text, to - start) };
        return { block, span };
      }
      start = end;
    }
    return undefined;
  }

  /** The bytes that characters of a block stand for, and their text. */
  bytesOf(block: number, { from, to }: NonNullable<Citation['span']>): { from: number; to: number; text: string } {
    let start = 0;
    for (const known of this.#blocks) {
      if (known.block === block) {
        const text = known.text.slice(from, to);
        const begin = start + bytesOf(known.text.slice(0, from));
        return { from: begin, to: start + bytesOf(known.text.slice(0, to)), text };
      }
      start += bytesOf(known.text);
    }
    return { from: start, to: start, text: '' };
  }
}
