import { findText } from '../../../../schema/json/loose.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { Account } from '../accounts/account.ts';
import { inTurns } from '../accounts/in-turns.ts';
import { ProviderRefusal } from '../accounts/provider-refusal.ts';
import { findTuning } from '../fine-tuning/executors/executors.ts';
import { isOver, normalisedJob } from '../fine-tuning/job/normalised.ts';

/** A copy, and the times between which jobs can have been given it, in milliseconds since the epoch. */
export interface ReadCopy {
  readonly tenant: TenantId;
  readonly account: Account;
  readonly from: number;
  readonly to: number;
}

/** Jobs that are asked for; where there are more, one of them is taken to run. */
const maxJobs = 200;
const maxAtOnce = 4;

const runsBatch = async ({ db }: Pick<Store, 'db'>, { tenant, account, from, to }: ReadCopy): Promise<boolean> => {
  const row = await db
    .selectFrom('watched_batches')
    .select('remote_id')
    .where('workspace_id', '=', tenant)
    .where('slug', '=', account.slug)
    .where('state', '=', 'watched')
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

const runs = async (id: string, account: Account): Promise<boolean> => {
  try {
    const job = await findTuning(account.provider)?.retrieve(id, account);
    return job !== undefined && !isOver(findText(normalisedJob(job).status));
  } catch (error) {
    if (error instanceof ProviderRefusal && error.reply.status === 404) return false;
    throw error;
  }
};

const runsTuning = async ({ db }: Pick<Store, 'db'>, { tenant, account, from, to }: ReadCopy): Promise<boolean> => {
  const rows = await db
    .selectFrom('remote_ids')
    .select('remote_id')
    .where('workspace_id', '=', tenant)
    .where('kind', '=', 'fine-tuning-job')
    .where('slug', '=', account.slug)
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .limit(maxJobs + 1)
    .execute();
  if (rows.length > maxJobs) return true;
  const running = await inTurns(rows, maxAtOnce, ({ remote_id: id }) => runs(id, account));
  return running.includes(true);
};

/**
 * Whether a job of the workspace in an account may read a copy. Nobody notes which file a job was given, so that any that was made
 * since the copy is taken to read it until it is over. Rejects with a `ProviderRefusal` or a `GatewayError` where it cannot be known.
 */
export const isCopyRead = async (store: Pick<Store, 'db'>, copy: ReadCopy): Promise<boolean> =>
  (await runsBatch(store, copy)) || runsTuning(store, copy);
