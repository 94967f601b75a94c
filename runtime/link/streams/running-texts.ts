import type { AnswerEvent } from '../../../schema/conversation.ts';
import { RunningText } from './running-text.ts';

export type TextEvent = Extract<AnswerEvent, { readonly kind: 'text' | 'refusal' | 'reasoning' | 'tool-arguments' }>;

/** The running texts of a stream: one for each choice and kind, and for each block unless clients are given them joined. */
export class RunningTexts {
  readonly #joined: boolean;
  readonly #texts = new Map<string, RunningText>();
  /** The blocks that a changed text has been in. */
  readonly #blocks = new Map<RunningText, Set<number>>();

  constructor(joined: boolean) {
    this.#joined = joined;
  }

  of(event: TextEvent): RunningText {
    const { choice, block, kind } = event;
    const summary = event.kind === 'reasoning' ? event.summary?.index : undefined;
    const isJoined = this.#joined && kind !== 'tool-arguments' && summary === undefined;
    const name = [choice, kind, isJoined ? 'all' : block, summary ?? ''].join(' ');
    const text = this.#texts.get(name) ?? new RunningText({ kind, choice });
    this.#texts.set(name, text);
    const blocks = this.#blocks.get(text) ?? new Set();
    this.#blocks.set(text, blocks.add(block));
    return text;
  }

  /** Those that have something left to be judged: of a choice, of one of its blocks, or all. */
  withRest({ choice, block }: { readonly choice?: number; readonly block?: number } = {}): readonly RunningText[] {
    return [...this.#texts.values()].filter(
      (text) =>
        text.hasRest &&
        (choice === undefined || text.place.choice === choice) &&
        (block === undefined || this.#blocks.get(text)?.has(block) === true),
    );
  }

  /** Whether a text of the block was changed: what is said of it elsewhere is then wrong. */
  isChanged(choice: number, block: number): boolean {
    for (const [text, blocks] of this.#blocks)
      if (text.isChanged && text.place.choice === choice && blocks.has(block)) return true;
    return false;
  }
}
