import type { Clock } from '../ports/clock.ts';

/** Something that ends at a point in time unless it is over before. Belongs to at most one list at a time. */
export interface Deadline {
  /** In milliseconds on the monotonic clock. */
  expiresAt: number;
  next: Deadline | undefined;
  previous: Deadline | undefined;
  expire(): void;
}

/** Deadlines of one duration. Each one that is added expires after all existing ones. */
class DeadlineList {
  readonly #clock: Clock;
  readonly #ms: number;
  #first: Deadline | undefined;
  #last: Deadline | undefined;
  #stopTimer: (() => void) | undefined;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  add(deadline: Deadline): void {
    deadline.expiresAt = this.#clock.monotonic() + this.#ms;
    deadline.previous = this.#last;
    if (this.#last === undefined) this.#first = deadline;
    else this.#last.next = deadline;
    this.#last = deadline;
    if (this.#stopTimer === undefined) this.#arm(this.#ms);
  }

  remove(deadline: Deadline): void {
    const { previous, next } = deadline;
    if (previous === undefined && this.#first !== deadline) return;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    deadline.previous = undefined;
    deadline.next = undefined;
    if (this.#first !== undefined) return;
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #arm(ms: number): void {
    this.#stopTimer = this.#clock.after(ms, () => {
      this.#stopTimer = undefined;
      this.#ring();
    });
  }

  #ring(): void {
    const now = this.#clock.monotonic();
    for (let first = this.#first; first !== undefined && first.expiresAt <= now; first = this.#first) {
      this.remove(first);
      first.expire();
    }
    if (this.#first !== undefined && this.#stopTimer === undefined) this.#arm(this.#first.expiresAt - now);
  }
}

/** How many empty lists are kept. Callers may choose any duration. */
const maxEmptyLists = 32;

/**
 * Time-outs of attempts. Nearly all attempts of a target have the same time-out, and end before it, so a single timer for all of
 * one duration costs less than one for each.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #lists = new Map<number, DeadlineList>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Lets a deadline expire after this many milliseconds, unless it is removed before. */
  add(deadline: Deadline, ms: number): void {
    let list = this.#lists.get(ms);
    if (list === undefined) {
      list = new DeadlineList(this.#clock, ms);
      this.#lists.set(ms, list);
      if (this.#lists.size > maxEmptyLists) this.#dropEmpty(list);
    }
    list.add(deadline);
  }

  /** Has no effect if it has expired or was removed. */
  remove(deadline: Deadline, ms: number): void {
    this.#lists.get(ms)?.remove(deadline);
  }

  /** Whether its time has come, even if it has not expired yet. */
  isPast({ expiresAt }: Deadline): boolean {
    return expiresAt <= this.#clock.monotonic();
  }

  #dropEmpty(kept: DeadlineList): void {
    for (const [ms, list] of this.#lists) if (list.isEmpty && list !== kept) this.#lists.delete(ms);
  }
}
