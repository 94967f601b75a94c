import { savedThings } from './0001-saved-things.ts';
import { tenantVersions } from './0002-tenant-versions.ts';
import { policies } from './0003-policies.ts';
import { ledger } from './0004-ledger.ts';
import { auditLog } from './0005-audit-log.ts';
import { files } from './0006-files.ts';
import { batches } from './0007-batches.ts';
import { remoteIds } from './0008-remote-ids.ts';
import { responses } from './0009-responses.ts';
import { providerBatches } from './0010-provider-batches.ts';
import { watchedBatches } from './0011-watched-batches.ts';
import { namedIds } from './0012-named-ids.ts';
import { fairJobs } from './0013-fair-jobs.ts';
import { namedItems } from './0014-named-items.ts';
import { shortLedger } from './0015-short-ledger.ts';
import type { Migration } from './migrate.ts';

/** All migrations, in their order; the first has the number 1. */
export const migrations: readonly Migration[] = [
  ...[savedThings, tenantVersions, policies, ledger, auditLog],
  ...[files, batches, remoteIds, responses, providerBatches, watchedBatches, namedIds, fairJobs],
  ...[namedItems, shortLedger],
];
