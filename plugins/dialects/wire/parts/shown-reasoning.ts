import type { ReasoningPart } from '../../../../schema/conversation/conversation.ts';

const gap = '\n\n';

/** Reasoning as one text, for formats that have no summary beside it. */
export const shownReasoning = ({ text, summary = [] }: Pick<ReasoningPart, 'text' | 'summary'>): string =>
  [text, ...summary].filter((each) => each !== '').join(gap);

/** The same for reasoning that comes in pieces: what to append for each. */
export class ShownReasoning {
  /** The piece before: that of the text is -1. */
  #last: number | undefined;

  get hasText(): boolean {
    return this.#last !== undefined;
  }

  push({
    text = '',
    summary,
  }: {
    readonly text?: string;
    readonly summary?: { readonly index: number; readonly text: string };
  }): string {
    return this.#append(-1, text) + (summary === undefined ? '' : this.#append(summary.index, summary.text));
  }

  #append(index: number, text: string): string {
    if (text === '') return '';
    const between = this.#last === undefined || this.#last === index ? '' : gap;
    this.#last = index;
    return between + text;
  }
}
