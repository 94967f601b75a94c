import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { type Claimant, type SharedPools, withPlace } from '../../kernel/pools/shared-pools.ts';
import { WindowCounts } from '../../kernel/pools/window-counts.ts';

/** The most trials of a kind that a workspace has within the time, in one process. */
export const maxTrials = 30;
const counts = new WindowCounts({ windowMs: 60_000, maxKeys: 10_000 });

/** Runs a trial in its turn. Rejects with the `GatewayError`s `tried-too-often` and `queue-full`. */
export const inTurn = <Result>(
  { pools, now }: { readonly pools: SharedPools; now(): number },
  { what, ...claimant }: Claimant & { readonly what: string; readonly tenant: TenantId },
  run: () => Promise<Result>,
): Promise<Result> => {
  const [key, at] = [`${what} ${claimant.tenant}`, now()];
  if (counts.of(key, at) >= maxTrials) throw gatewayError('tried-too-often', { what, max: maxTrials });
  counts.add(key, 1, at);
  return withPlace(pools.trials, claimant, run);
};
