import type { Priority } from '../sdk/exchange/exchange.ts';
import { priorities, type Rank } from '../sdk/overload/priority-rank.ts';

/**
 * Why a request was refused. By the process: it is late with its work (`event-loop`), or has little memory left (`memory`). By a
 * target at its limit: its queue is full (`queue-full`) or too long for the time of the request (`queue-time`), it had to give way to
 * one of a higher priority (`displaced`), it waited in vain (`expired`), the target fails (`failing`), or it is a copy that nobody
 * waits for (`mirror`).
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

/** How many requests were refused for one reason and of one priority. */
export interface ShedCount {
  readonly reason: ShedReason;
  readonly priority: Priority;
  readonly count: number;
}

/** Counts what is refused. */
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

/** The header lines of a refusal: after how many seconds it may be sent again, drawn so that not all come back at once. */
export const retryAfter = (ms: number, random: () => number): { readonly headers: readonly string[] } => ({
  headers: ['retry-after', String(Math.max(1, Math.ceil((ms / 1000) * (1 + random()) + 2 * random())))],
});
