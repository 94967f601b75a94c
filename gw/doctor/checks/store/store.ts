import type { Check, Finding } from '../../set-up/finding.ts';
import type { SetUp } from '../../set-up/set-up.ts';
import { findStoreUrl, isSentence, storeFailure } from './find-store.ts';
import { masterKeyFindings } from './master-key.ts';
import { policyFindings } from './policy-labels.ts';

const look = async (setUp: SetUp): Promise<readonly Finding[]> => {
  const at = findStoreUrl(setUp);
  if (at === undefined) return [];
  const hasLog = setUp.settings.log !== false;
  const seen =
    at.kind === 'sqlite'
      ? await (await import('./sqlite-store.ts')).lookAtSqlite(at.file, (await setUp.gateway()) !== 'absent')
      : await (await import('./postgres-store.ts')).lookAtPostgres(at, setUp.timeoutMs);
  return [
    ...seen.findings,
    ...(hasLog ? (seen.log ?? []) : []),
    ...(seen.isRead ? await masterKeyFindings(setUp, at, seen) : []),
    ...policyFindings(seen.policies ?? [], setUp.environment.saved.labels),
  ];
};

export const store: Check = {
  id: 'store',
  description:
    'the store: served by another process, not writable, damaged, on a network file system, of a newer version; a request log that is damaged or of a newer version; PostgreSQL not reachable, its user, password, privileges, tables, encoding, version and clock; the master key, and whether it decrypts the saved credentials; saved policies by labels that no request has',
  async run(setUp) {
    try {
      return await look(setUp);
    } catch (error) {
      // A reference without a value is reported by the check of secrets.
      if (isSentence(error) && error.message.includes('which is not set')) return [];
      return [storeFailure(error, '"store"')];
    }
  },
};
