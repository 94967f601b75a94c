import type { LogRecord } from './log-record.ts';

/** The most rows of the list. All of them are in the DOM. */
export const maxShown = 100;
/** The most records that wait while the list is paused. Older ones are dropped; they are still in the log. */
const maxWaiting = 200;

/** The current state of the list. */
export interface Shown {
  /** The records, newest first. */
  readonly records: readonly LogRecord[];
  /** How many records arrived since the pause. `isMore` is true if there were more than are kept. */
  readonly waiting: number;
  readonly isMore: boolean;
}

const newestFirst = (a: LogRecord, b: LogRecord): number => (a.id < b.id ? 1 : -1);

const merge = (known: readonly LogRecord[], added: readonly LogRecord[], max: number): readonly LogRecord[] => {
  const ids = new Set(known.map(({ id }) => id));
  const fresh = added.filter(({ id }) => !ids.has(id) && ids.add(id));
  if (fresh.length === 0) return known;
  return [...fresh, ...known].sort(newestFirst).slice(0, max);
};

/** The newest records, limited in number. */
export class RecordRing {
  #shown: readonly LogRecord[] = [];
  #waiting: readonly LogRecord[] = [];
  #isMore = false;
  #isPaused = false;

  get isPaused(): boolean {
    return this.#isPaused;
  }

  add(records: readonly LogRecord[]): void {
    if (!this.#isPaused) {
      this.#shown = merge(this.#shown, records, maxShown);
      return;
    }
    const known = new Set(this.#shown.map(({ id }) => id));
    const before = this.#waiting.length;
    const fresh = records.filter(({ id }) => !known.has(id));
    this.#waiting = merge(this.#waiting, fresh, maxWaiting);
    if (before + fresh.length > maxWaiting) this.#isMore = true;
  }

  pause(): void {
    this.#isPaused = true;
  }

  /** Shows the records that arrived meanwhile, and new ones as they arrive. */
  resume(): void {
    this.#isPaused = false;
    this.#shown = merge(this.#shown, this.#waiting, maxShown);
    this.#waiting = [];
    this.#isMore = false;
  }

  shown(): Shown {
    return { records: this.#shown, waiting: this.#waiting.length, isMore: this.#isMore };
  }
}
