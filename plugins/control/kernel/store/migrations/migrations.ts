import { savedThings } from './0001-saved-things.ts';
import { policiesToBatches } from './0002-to-0007.ts';
import { remoteIdsToNamedItems } from './0008-to-0014.ts';
import { shortLedger } from './0015-short-ledger.ts';
import { virtualModels } from './0016-virtual-models.ts';
import { keyAccounts } from './0017-key-accounts.ts';
import { applies } from './0018-applies.ts';
import { destinationTls } from './0019-destination-tls.ts';
import { sessions } from './0020-sessions.ts';
import { batchAccounts } from './0021-batch-accounts.ts';
import { replyHeaders } from './0022-reply-headers.ts';
import { policyIds } from './0023-policy-ids.ts';
import type { Migration } from './migrate.ts';

/** All migrations in order; the first has the number 1. */
export const migrations: readonly Migration[] = [
  savedThings,
  ...policiesToBatches,
  ...remoteIdsToNamedItems,
  shortLedger,
  virtualModels,
  keyAccounts,
  applies,
  destinationTls,
  sessions,
  batchAccounts,
  replyHeaders,
  policyIds,
];
