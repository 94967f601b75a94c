import type { Clock } from '../../../sdk/clock.ts';
import type { Store } from './store.ts';

/** Notified of the result of each query. */
export interface PollReport {
  readonly succeeded: () => void;
  readonly failed: (error: unknown) => void;
}

export interface PollOptions {
  readonly clock: Clock;
  /** The milliseconds between a response and the next query. */
  readonly pollMs: number;
  readonly watch: Store['watch'];
  /** Queries once. It handles its own rejections, except for the first query. */
  readonly ask: () => Promise<void>;
  readonly report?: PollReport | undefined;
}

/** Queries repeatedly, and soon after the store has reported a change. */
export class Poll {
  readonly #options: PollOptions;
  #state: 'new' | 'idle' | 'asking' | 'closed' = 'new';
  #askAgain = false;
  #last: Promise<void> = Promise.resolve();
  #stopTimer = (): void => {};
  #stopWatching = (): void => {};

  constructor(options: PollOptions) {
    this.#options = options;
  }

  /** Queries, and continues from then on. Rejects, and does not continue, if the first query fails. */
  async start(): Promise<void> {
    await this.#ask();
    if (this.#isClosed()) return;
    this.#stopWatching = this.#options.watch(() => this.#soon());
    this.#rest();
  }

  /** Queries once more, in addition to the schedule. Resolves when the query has succeeded or failed. */
  async now(): Promise<void> {
    if (!this.#isClosed()) await this.#ask().catch(() => {});
  }

  close(): void {
    this.#state = 'closed';
    this.#stopTimer();
    this.#stopWatching();
  }

  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** Runs one query after another. */
  #ask(): Promise<void> {
    const answered = this.#last.then(this.#options.ask);
    const { report } = this.#options;
    this.#last = answered.then(report?.succeeded, (error) => report?.failed(error));
    return answered;
  }

  #rest(): void {
    this.#state = 'idle';
    this.#stopTimer = this.#options.clock.after(this.#options.pollMs, () => void this.#follow());
  }

  async #follow(): Promise<void> {
    this.#state = 'asking';
    do {
      this.#askAgain = false;
      await this.#ask().catch(() => {});
    } while (this.#askAgain && !this.#isClosed());
    if (!this.#isClosed()) this.#rest();
  }

  #soon(): void {
    this.#askAgain = true;
    if (this.#state !== 'idle') return;
    this.#stopTimer();
    void this.#follow();
  }
}
