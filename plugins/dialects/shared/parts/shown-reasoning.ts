import type { ReasoningPart } from '../../../../schema/conversation/conversation.ts';

/** The text between two pieces of reasoning. */
export const reasoningGap = '\n\n';

/** Returns reasoning as one text, for formats that have no separate summary. */
export const shownReasoning = ({ text, summary = [] }: Pick<ReasoningPart, 'text' | 'summary'>): string =>
  [text, ...summary].filter((each) => each !== '').join(reasoningGap);

/** Returns the text to append for each piece of reasoning that arrives in pieces. */
export class ShownReasoning {
  /** The index of the previous piece; -1 for the text. */
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
    const between = this.#last === undefined || this.#last === index ? '' : reasoningGap;
    this.#last = index;
    return between + text;
  }
}
