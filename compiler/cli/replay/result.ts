import type { SimulatedAnswer } from '../../../schema/forecast/simulation.ts';
import { isSuccess } from '../../../schema/http/status.ts';
import { nanoPerUsd } from '../../../schema/usage/usage-record.ts';

/** The times in milliseconds within which a given share of the requests had their answers. */
export interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

export interface TargetResult {
  readonly target: string;
  readonly calls: number;
  readonly failed: number;
  /** In US dollars; absent if its price is unknown. */
  readonly usd?: number;
}

/** A part of the simulated time. */
export interface Moment {
  readonly fromMs: number;
  readonly requests: number;
  readonly succeeded: number;
  /** The 95th percentile, in milliseconds; absent without requests. */
  readonly p95Ms?: number;
  /** Calls by target. */
  readonly calls: Readonly<Record<string, number>>;
}

/** The result of a simulation. */
export interface SimulationResult {
  readonly seed: number;
  readonly durationMs: number;
  readonly requests: number;
  readonly succeeded: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly latencyMs: Percentiles;
  readonly targets: readonly TargetResult[];
  /** The cost of all answers in US dollars; absent if the price of a target that answered is unknown. */
  readonly usd?: number;
  readonly moments: readonly Moment[];
}

const moments = 60;

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * part) - 1))] ?? 0;

interface Counts {
  calls: number;
  failed: number;
  nanoUsd: number | undefined;
}

/** Returns the price of a successful call of a kind, in billionths of a US dollar. */
export type CallPrice = (target: string, kind: number) => number | undefined;

/** Counts the answers of a simulation. */
export class Results {
  readonly #durationMs: number;
  readonly #price: CallPrice;
  readonly #ms: number[] = [];
  readonly #statuses = new Map<number, number>();
  readonly #targets = new Map<string, Counts>();
  readonly #moments: {
    requests: number;
    succeeded: number;
    readonly ms: number[];
    readonly calls: Map<string, number>;
  }[];

  constructor(durationMs: number, price: CallPrice, targets: readonly string[]) {
    this.#durationMs = durationMs;
    this.#price = price;
    for (const target of targets) this.#targets.set(target, { calls: 0, failed: 0, nanoUsd: 0 });
    this.#moments = Array.from({ length: moments }, () => ({ requests: 0, succeeded: 0, ms: [], calls: new Map() }));
  }

  add({ atMs, kind, status, ms, calls }: SimulatedAnswer): void {
    this.#ms.push(ms);
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    const moment = this.#moments[Math.min(moments - 1, Math.floor((atMs / this.#durationMs) * moments))];
    for (const { target, isFailed } of calls) {
      const counts = this.#targets.get(target) ?? { calls: 0, failed: 0, nanoUsd: 0 };
      counts.calls += 1;
      if (isFailed) counts.failed += 1;
      else {
        const price = this.#price(target, kind);
        counts.nanoUsd = price === undefined || counts.nanoUsd === undefined ? undefined : counts.nanoUsd + price;
      }
      this.#targets.set(target, counts);
      moment?.calls.set(target, (moment.calls.get(target) ?? 0) + 1);
    }
    if (moment === undefined) return;
    moment.requests += 1;
    moment.ms.push(ms);
    if (isSuccess(status)) moment.succeeded += 1;
  }

  result(seed: number): SimulationResult {
    const sorted = this.#ms.toSorted((a, b) => a - b);
    const targets = [...this.#targets].map(([target, { calls, failed, nanoUsd }]) => ({
      ...{ target, calls, failed },
      ...(nanoUsd !== undefined && { usd: nanoUsd / nanoPerUsd }),
    }));
    const usd = targets.every((each) => each.usd !== undefined)
      ? targets.reduce((sum, each) => sum + (each.usd ?? 0), 0)
      : undefined;
    const statuses = [...this.#statuses].sort(([a], [b]) => a - b);
    return {
      ...{ seed, durationMs: this.#durationMs, requests: sorted.length },
      succeeded: statuses.reduce((sum, [status, count]) => sum + (isSuccess(status) ? count : 0), 0),
      statuses: Object.fromEntries(statuses),
      latencyMs: {
        ...{ p50: percentile(sorted, 0.5), p90: percentile(sorted, 0.9), p99: percentile(sorted, 0.99) },
        max: sorted.at(-1) ?? 0,
      },
      targets,
      ...(usd !== undefined && { usd }),
      moments: this.#moments.map(({ requests, succeeded, ms, calls }, index) => ({
        ...{ fromMs: (index * this.#durationMs) / moments, requests, succeeded },
        ...(ms.length > 0 && {
          p95Ms: percentile(
            ms.toSorted((a, b) => a - b),
            0.95,
          ),
        }),
        calls: Object.fromEntries(calls),
      })),
    };
  }
}
