import type { Priority } from '../sdk/exchange/exchange.ts';
import { priorities, type Rank } from '../sdk/overload/priority-rank.ts';

/**
 * Why a request was refused. By the process: its event loop is late (`event-loop`), or it has little memory left (`memory`). By a
 * target at its limit: the queue is full (`queue-full`) or too long for the time of the request (`queue-time`), the request was
 * displaced by one of higher priority (`displaced`), its wait expired (`expired`), the target is failing (`failing`), or it is a
 * copy that nobody waits for (`mirror`).
 */
export type ShedReason =
  | 'event-loop'
  | 'memory'
  | 'queue-full'
  | 'queue-time'
  | 'displaced'
  | 'expired'
  | 'failing'
  | 'mirror';

/** How many requests of a priority were refused for a reason. */
export interface ShedCount {
  readonly reason: ShedReason;
  readonly priority: Priority;
  readonly count: number;
}

/** Counts refused requests. */
export class ShedCounts {
  readonly #counts = new Map<ShedReason, [number, number, number]>();

  add(reason: ShedReason, rank: Rank): void {
    const counts = this.#counts.get(reason) ?? [0, 0, 0];
    counts[rank] += 1;
    this.#counts.set(reason, counts);
  }

  list(): readonly ShedCount[] {
    return [...this.#counts].flatMap(([reason, counts]) =>
      priorities.map((priority, rank) => ({ reason, priority, count: counts[rank] ?? 0 })),
    );
  }
}

/**
 * Returns the headers of a refusal: after how many seconds the request may be sent again, with a random part, so that not all
 * clients return at once.
 */
export const retryAfter = (ms: number, random: () => number): { readonly headers: readonly string[] } => ({
  headers: ['retry-after', String(Math.max(1, Math.ceil((ms / 1000) * (1 + random()) + 2 * random())))],
});
