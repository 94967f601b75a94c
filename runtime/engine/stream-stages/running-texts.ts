import type { AnswerEventOf } from '../../../schema/conversation/answer.ts';
import { RunningText, type TextPlace } from './running-text.ts';

export type TextEvent = AnswerEventOf<'text' | 'refusal' | 'reasoning' | 'tool-arguments'>;

/** Selects texts: those of a choice, of one of its blocks, or all, optionally except one. */
export interface TextsWanted {
  readonly choice?: number;
  readonly block?: number;
  readonly except?: RunningText | undefined;
}

const none: readonly RunningText[] = [];

const findSummary = (event: TextEvent): number | undefined =>
  event.kind === 'reasoning' ? event.summary?.index : undefined;

/** Whether two events are pieces of one text. */
const continues = (event: TextEvent, before: TextEvent): boolean =>
  event.kind === before.kind &&
  event.choice === before.choice &&
  event.block === before.block &&
  findSummary(event) === findSummary(before);

export interface RunningTextsOptions {
  /** Whether clients receive the texts of a choice joined. */
  readonly joined: boolean;
  /** How much of a text's end is judged again with the next block. Default: nothing. */
  readonly overlap?: number;
  /** The text that the stream's first text continues. Absent if the stream begins an answer. */
  readonly said?: string | undefined;
}

/**
 * The running texts of a stream: one per choice and kind, and per block unless clients receive them joined. Clients may read a
 * block as the continuation of the one before it.
 */
export class RunningTexts {
  readonly #joined: boolean;
  readonly #overlap: number;
  #said: string;
  /** By choice, the text that the next block follows. */
  readonly #before = new Map<number, RunningText>();
  readonly #texts = new Map<string, RunningText>();
  /** The blocks that contain parts of each text. */
  readonly #blocks = new Map<RunningText, Set<number>>();
  /** The last event and its text, which is nearly always the text of the next one. */
  #last: { readonly event: TextEvent; readonly text: RunningText } | undefined;

  constructor({ joined, overlap = 0, said = '' }: RunningTextsOptions) {
    this.#joined = joined;
    this.#overlap = overlap;
    this.#said = overlap > 0 ? said.slice(-overlap) : '';
  }

  of(event: TextEvent): RunningText {
    if (this.#last !== undefined && continues(event, this.#last.event)) return this.#last.text;
    const { choice, block, kind } = event;
    const summary = findSummary(event);
    const isJoined = this.#joined && kind !== 'tool-arguments' && summary === undefined;
    const name = [choice, kind, isJoined ? 'all' : block, summary ?? ''].join(' ');
    const text = this.#texts.get(name) ?? this.#next({ kind, choice });
    this.#texts.set(name, text);
    this.#before.set(choice, text);
    const blocks = this.#blocks.get(text) ?? new Set();
    this.#blocks.set(text, blocks.add(block));
    this.#last = { event, text };
    return text;
  }

  /** Called when something other than a text came in a choice: what follows is another text. */
  divide(choice: number): void {
    this.#before.delete(choice);
  }

  #next(place: TextPlace): RunningText {
    const before = this.#before.get(place.choice);
    if (before !== undefined)
      return new RunningText(place, before.place.kind === place.kind ? before.end(this.#overlap) : '');
    const said = place.kind === 'text' ? this.#said : '';
    if (place.kind === 'text') this.#said = '';
    return new RunningText(place, said);
  }

  /** Returns the texts that have something left to judge. */
  withRest({ choice, block, except }: TextsWanted = {}): readonly RunningText[] {
    let found: RunningText[] | undefined;
    for (const text of this.#texts.values()) {
      const isMeant =
        text !== except &&
        text.hasRest &&
        (choice === undefined || text.place.choice === choice) &&
        (block === undefined || this.#blocks.get(text)?.has(block) === true);
      if (!isMeant) continue;
      found ??= [];
      found.push(text);
    }
    return found ?? none;
  }

  /** Whether a text of the block was changed. If so, what other events say of it is wrong. */
  isChanged(choice: number, block: number): boolean {
    for (const [text, blocks] of this.#blocks)
      if (text.isChanged && text.place.choice === choice && blocks.has(block)) return true;
    return false;
  }
}
