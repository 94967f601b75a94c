import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import type { StoredCaller } from '../../../access/identity/principal-now.ts';
import type { RunningJob } from '../../../kernel/jobs/job-queue.ts';
import type { WatchedBatchRow } from '../../../kernel/store/tables/tables.ts';
import { readAccount } from '../../accounts/account.ts';
import type { ProviderCall } from '../batch/executor.ts';
import type { WatchParts } from './watch-parts.ts';

/**
 * The call by which a job asks for a batch, as its caller is now; limits do not count it. Undefined if the caller may send no
 * requests any more. Rejects with the `GatewayError` `invalid-input` if the account is gone.
 */
export const watchingCall = async (
  parts: WatchParts,
  row: WatchedBatchRow,
  { gateway, cancellation }: RunningJob,
): Promise<ProviderCall | undefined> => {
  // Workspaces are what tenants are named by.
  const tenant = row.workspace_id as TenantId;
  // The store has only what was put there.
  const principal = await parts.principalNow(tenant, fromJson(row.caller) as StoredCaller);
  if (principal === undefined) return undefined;
  const traceId = `${row.remote_id}-watch`;
  const dispatch = gateway.dispatch({ traceId, cancellation });
  const context: ProviderCall['context'] = {
    ...{ principal, tenant, traceId, headers: [], cancellation, now: parts.now },
    dispatch: (request, as) => dispatch({ ...request, isCounted: false }, as),
  };
  return { tenant, context, account: await readAccount(parts, { tenant, name: row.account, context }) };
};
