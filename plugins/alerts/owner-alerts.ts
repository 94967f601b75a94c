import type { Clock } from '../sdk/clock.ts';
import type { LimitReached } from '../sdk/hooks/limit-reached.ts';
import { AlertEngine, type AlertEngineOptions } from './alert-engine.ts';
import type { AlertNews } from './alert-news.ts';
import type { AlertReceiverStatus } from './alert-receiver.ts';
import { MergedHealth, type OwnHealth } from './merged-health.ts';
import type { TargetChange } from './sources/target-alerts.ts';

export interface OwnerAlertsOptions extends Omit<AlertEngineOptions, 'health'> {
  /** Returns the state of the process itself. */
  readonly own: () => OwnHealth;
}

/** The alerts of all workers of a gateway. */
export interface OwnerAlerts {
  /** Receives what a worker has seen. */
  receive(worker: number, news: unknown): void;
  /** Called when a worker has ended. */
  leave(worker: number): void;
  status(): readonly AlertReceiverStatus[];
  close(): Promise<void>;
}

/** Workers that each see the same change report it within this time, in milliseconds. */
const sameMs = 3000;

/** The maximum number of remembered reports. Beyond it, the oldest are forgotten. */
const maxKnown = 10_000;

/** Decides whether a report is new, because several workers may report the same change. */
class FirstReports {
  readonly #now: Clock['monotonic'];
  /** By report, the time until which another one counts as the same. */
  readonly #known = new Map<string, { readonly worker: number; readonly until: number }>();

  constructor(now: Clock['monotonic']) {
    this.#now = now;
  }

  /** @param ms how long a report of another worker counts as the same */
  isFirst(worker: number, key: string, ms: number): boolean {
    const now = this.#now();
    const known = this.#known.get(key);
    if (known !== undefined && known.worker !== worker && known.until > now) return false;
    this.#known.delete(key);
    this.#known.set(key, { worker, until: now + ms });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
    return true;
  }
}

const reachedKey = ({ kind, policy, bucket, resetsAt }: LimitReached): string =>
  JSON.stringify(['limit', kind, policy, bucket, resetsAt]);

const targetKey = ({ state, occurrence: { key } }: TargetChange): string => JSON.stringify(['target', state, key]);

/** Judges what workers see, and sends each message once. */
export const openOwnerAlerts = ({ own: ownHealth, ...options }: OwnerAlertsOptions): OwnerAlerts => {
  const { clock, log } = options;
  const health = new MergedHealth(ownHealth);
  const engine = new AlertEngine({ ...options, health: () => health.read() });
  const reports = new FirstReports(clock.monotonic);
  return {
    receive(worker, received) {
      const { reached, targets, counts, health: own, dropped } = received as AlertNews;
      health.set(worker, own);
      for (const each of reached) {
        // A counter that several workers see reach its limit reaches it once in its window.
        const ms = each.resetsAt === undefined ? sameMs : Math.max(sameMs, each.resetsAt - clock.wall());
        if (reports.isFirst(worker, reachedKey(each), ms)) engine.reached(each);
      }
      for (const change of targets)
        if (reports.isFirst(worker, targetKey(change), sameMs)) engine.targetChanged(change);
      for (const each of counts) engine.rates?.add(each);
      if (dropped > 0) log(`${dropped} events of worker ${worker} are in no alert: there were too many at once.`);
    },
    leave: (worker) => health.leave(worker),
    status: () => engine.status(),
    close: () => engine.close(),
  };
};
