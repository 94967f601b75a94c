import { isNonEmpty } from '../../../../schema/json/json.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { Clock } from '../../../sdk/clock.ts';
import { createRefusalDigest, type RefusalDigest, type RefusedKeys } from '../../../sdk/logs/refusal-digest.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { AuditLog } from './audit-log.ts';
import type { AuditRecord } from './audit-store.ts';

export interface RefusedKeysOptions {
  readonly store: Pick<Store, 'db'>;
  readonly audit: Pick<AuditLog, 'write'>;
  readonly clock: Pick<Clock, 'after' | 'wall'>;
  /** Notifies the operator. */
  readonly say: (text: string) => void;
}

/** At most so many records are written in a quarter of an hour, beside one for each address at its end. */
const bounds = { intervalMs: 900_000, maxAddresses: 16, maxAtOnce: 32 };

/** Reads whose the refused keys are, and the organisation that was there first, which is the operator's. */
const readOwners = async ({ db }: Pick<Store, 'db'>, reports: readonly RefusedKeys[]) => {
  const ids = [...new Set(reports.flatMap(({ keyIds }) => [...keyIds.keys()]))];
  const keys = isNonEmpty(ids)
    ? await db.selectFrom('keys').select(['id', 'organisation_id', 'workspace_id']).where('id', 'in', ids).execute()
    : [];
  const first = await db.selectFrom('organisations').select('id').orderBy('id').limit(1).executeTakeFirst();
  return { keys, first };
};

/** Makes records of the refusals of each key that the store has, for those whose it is, and of all others for the operator. */
const toRecords = (
  { keyIds, address, since, until, count }: RefusedKeys,
  { keys, first }: Awaited<ReturnType<typeof readOwners>>,
): readonly AuditRecord[] => {
  const known = keys.flatMap(({ id, organisation_id: organisation, workspace_id: workspace }) => {
    const own = keyIds.get(id);
    return own === undefined ? [] : [{ organisation, workspace: workspace ?? undefined, actor: id, count: own }];
  });
  const rest = known.reduce((left, each) => left - each.count, count);
  const others = first === undefined || rest === 0 ? [] : [{ organisation: first.id, actor: 'unknown', count: rest }];
  return [...known, ...others].map(({ count: refusals, ...whose }) => ({
    ...{ id: newId(until), at: until, method: '', uri: '', resourceType: 'keys', action: 'refused', status: 401 },
    ...whose,
    clientIp: address,
    detail: { count: refusals, since: toSeconds(since), until: toSeconds(until) },
  }));
};

/** Writes down in the audit log which keys were refused, and from where, however often that happens. */
export interface RefusedKeyLog extends Pick<RefusalDigest, 'note'> {
  /** Resolves when all that was noted is written. */
  close(): Promise<void>;
}

export const createRefusedKeyLog = ({ store, audit, clock, say }: RefusedKeysOptions): RefusedKeyLog => {
  const writing = new Set<Promise<unknown>>();

  const write = async (reports: readonly RefusedKeys[]): Promise<void> => {
    try {
      const owners = await readOwners(store, reports);
      await Promise.all(reports.flatMap((each) => toRecords(each, owners)).map((record) => audit.write(record)));
    } catch (error) {
      const count = reports.reduce((sum, each) => sum + each.count, 0);
      say(`gw: The audit log lacks ${count} requests whose service keys were refused: ${errorText(error)}\n`);
    }
  };

  const digest = createRefusalDigest({
    ...bounds,
    clock,
    report: (reports) => {
      const written = write(reports);
      writing.add(written);
      void written.then(() => writing.delete(written));
    },
  });

  return {
    note: (refused) => digest.note(refused),
    async close() {
      digest.close();
      await Promise.all(writing);
    },
  };
};
