import type { TextSpan } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Replacement } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { joinsWords } from '../guardrail-verdicts/joined-texts.ts';
import type { HeldEvent } from './held-event.ts';

/** The choice and the part that a text belongs to. */
export interface TextPlace {
  readonly kind: TextSpan['kind'];
  readonly choice: number;
}

/** A replacement in the held text. It starts before the beginning if part of it was already released. */
type Placed = Pick<Replacement, 'from' | 'to' | 'with'>;

interface Range {
  readonly from: number;
  readonly to: number;
  /** Whether text inserted at the end of the range belongs to the range. */
  readonly isLast: boolean;
}

/** Applies replacements to a range of a text. The new text of a replacement is placed where the replacement begins. */
const givenIn = (
  text: string,
  replacements: readonly Placed[],
  { from, to, isLast }: Range,
): { readonly text: string; readonly isChanged: boolean } => {
  let given = '';
  let at = from;
  let isChanged = false;
  for (const replacement of replacements) {
    if (replacement.from > to || (replacement.from === to && !isLast)) break;
    const isOver = replacement.from < from && replacement.to <= from;
    if (isOver) continue;
    given += text.slice(at, Math.max(at, replacement.from));
    if (replacement.from >= from) given += replacement.with;
    at = Math.max(at, Math.min(replacement.to, to));
    isChanged = true;
  }
  return { text: given + text.slice(at, to), isChanged };
};

/** Converts replacements of a window to those of the text after its first `before` characters. */
const placed = (replacements: readonly Placed[], before: number): readonly Placed[] =>
  replacements.length === 0
    ? replacements
    : replacements
        .map(({ from, to, with: added }) => ({ from: Math.max(0, from - before), to: to - before, with: added }))
        .filter(({ to }) => to > 0 || before === 0)
        .sort((a, b) => a.from - b.from);

/** Returns the last position at or before `end` that no replacement spans. */
const uncut = (end: number, replacements: readonly Placed[]): number => {
  let at = end;
  for (const { from, to } of replacements.toReversed()) if (to > at && from < at) at = from;
  return at;
};

interface Settling {
  /** The number of characters at the end that wait for what follows. */
  readonly overlap: number;
  readonly isLast: boolean;
  /** The maximum number of released characters that are judged again with what follows. */
  readonly context?: number;
}

const smallestStep = 8;

/** The maximum number of released characters that are always judged again: `version` before numbers, a digit before digits. */
const minContext = 64;

/** One text of a stream. Holds the events that are not settled yet. */
export class RunningText {
  readonly place: TextPlace;
  /** The end of the released text. It is judged again with what follows, because it may change the meaning of that. */
  #context = '';
  #text = '';
  readonly #events: HeldEvent[] = [];
  /** Whether the context is the end of another text. */
  #isForeign: boolean;
  /** The number of held characters that have been judged. */
  #judged = 0;
  isChanged = false;

  /** `before`: the end of another text that clients may read this one as a continuation of. */
  constructor(place: TextPlace, before = '') {
    this.place = place;
    this.#context = before;
    this.#isForeign = before !== '';
  }

  grow(held: HeldEvent): void {
    this.#text += held.pending;
    if (held.pending !== '') this.#events.push(held);
  }

  get hasRest(): boolean {
    return this.#text !== '';
  }

  /** Returns the text that is not released yet. */
  get rest(): string {
    return this.#text;
  }

  /** Returns the text to judge now. */
  get window(): string {
    return this.#context + this.#text;
  }

  /**
   * Returns the text that is judged by itself as well, because it forms one word with the end of another text. It is the end of
   * the window.
   */
  get apart(): string | undefined {
    return this.#isForeign && joinsWords(this.#context, this.#text) ? this.#text : undefined;
  }

  /** Returns the last characters so far, including those of the text before. */
  end(length: number): string {
    return length > 0 ? this.window.slice(-length) : '';
  }

  /**
   * Whether a window is full: at least eight of its characters (about two tokens) are new, and an eighth of a long overlap. So no
   * character is judged more than about eight times, and clients are written to less often than tokens arrive.
   */
  isDue(overlap: number): boolean {
    const step = Math.max(smallestStep, overlap >> 3);
    return this.#text.length > overlap && this.#text.length - this.#judged >= step;
  }

  /**
   * Settles what no later text can change: all but the last `overlap` characters, or everything if the text ends here. A
   * replacement that extends into the rest waits with it.
   */
  settle(replacements: readonly Placed[], { overlap, isLast, context = 0 }: Settling): void {
    const own = placed(replacements, this.#context.length);
    const end = isLast ? this.#text.length : uncut(Math.max(0, this.#text.length - overlap), own);
    const settled = this.#text.slice(0, end);
    if (settled !== '') this.#isForeign = false;
    // A finding in the rest may depend on everything before it, so that context is kept.
    const isFoundInRest = own.some(({ to }) => to > end);
    const kept = isLast || isFoundInRest ? context : Math.min(context, minContext);
    this.#context = kept > 0 ? (this.#context + settled).slice(-kept) : '';
    this.#text = this.#text.slice(end);
    this.#judged = this.#text.length;
    if (settled === '') return;
    this.#give(
      settled,
      own.filter(({ from, to }) => to <= end && (isLast || from < end)),
    );
  }

  /** Moves the first characters from the events' pending text to their released text. */
  #give(settled: string, replacements: readonly Placed[]): void {
    let from = 0;
    let done = 0;
    for (const held of this.#events) {
      const to = Math.min(from + held.pending.length, settled.length);
      const isLast = to === settled.length;
      const { text, isChanged } = givenIn(settled, replacements, { from, to, isLast });
      held.pending = held.pending.slice(to - from);
      held.given += text;
      held.isChanged ||= isChanged;
      this.isChanged ||= isChanged;
      from = to;
      if (held.pending === '') done += 1;
      if (isLast) break;
    }
    this.#events.splice(0, done);
  }
}
