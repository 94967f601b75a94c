import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Claimant } from '../../kernel/pools/shared-pools.ts';
import { type SharedPools, withPlace } from '../../kernel/pools/shared-pools.ts';

/** The most trials of a kind that a workspace has within the time, in one process. */
export const maxTrials = 30;
const withinMs = 60_000;
const maxTenants = 10_000;

/** Counts the trials of each workspace in windows of a minute. */
class TrialCounts {
  readonly #counts = new Map<string, { readonly since: number; readonly count: number }>();

  /** Throws the `GatewayError` `tried-too-often` where the window is full. */
  note(tenant: TenantId, what: string, now: number): void {
    const key = `${what} ${tenant}`;
    const before = this.#counts.get(key);
    const isOver = before === undefined || now - before.since >= withinMs;
    if (!isOver && before.count >= maxTrials) throw gatewayError('tried-too-often', { what, max: maxTrials });
    this.#counts.delete(key);
    this.#counts.set(key, isOver ? { since: now, count: 1 } : { ...before, count: before.count + 1 });
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > maxTenants && oldest !== undefined) this.#counts.delete(oldest);
  }
}

const counts = new TrialCounts();

/** Runs a trial in its turn. Rejects with the `GatewayError`s `tried-too-often` and `queue-full`. */
export const inTurn = <Result>(
  { pools, now }: { readonly pools: SharedPools; now(): number },
  { what, ...claimant }: Claimant & { readonly what: string; readonly tenant: TenantId },
  run: () => Promise<Result>,
): Promise<Result> => {
  counts.note(claimant.tenant, what, now());
  return withPlace(pools.trials, claimant, run);
};
