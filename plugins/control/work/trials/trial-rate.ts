import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { type Allowances, allowanceSizes } from '../../kernel/fairness/allowances.ts';
import { type Claimant, type SharedPools, withPlace } from '../../kernel/fairness/shared-pools.ts';

/** Runs a trial when it is its turn. Rejects with the `GatewayError`s `tried-too-often` and `queue-full`. */
export const inTurn = async <Result>(
  { pools, allowances }: { readonly pools: SharedPools; readonly allowances: Allowances },
  { what, ...claimant }: Claimant & { readonly what: string; readonly tenant: TenantId },
  run: () => Promise<Result>,
): Promise<Result> => {
  if (!(await allowances.take('trials', `${what} ${claimant.tenant}`)))
    throw gatewayError('tried-too-often', { what, max: allowanceSizes.trials.max });
  return withPlace(pools.trials, claimant, run);
};
