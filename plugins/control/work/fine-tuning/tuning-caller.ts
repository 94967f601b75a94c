import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Account } from '../accounts/account.ts';
import type { TuningExecutor } from './executors/executor.ts';

/** Who asks for fine-tuning, and at which account. */
export interface TuningCaller {
  readonly tenant: TenantId;
  /** Absent for callers without a key of the store. */
  readonly keyId: string | undefined;
  readonly account: Account;
  readonly executor: TuningExecutor;
}
