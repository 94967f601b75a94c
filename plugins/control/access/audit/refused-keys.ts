import { isNonEmpty } from '../../../../schema/json/json.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { Clock } from '../../../sdk/clock.ts';
import { createRefusalDigest, type RefusalDigest, type RefusedKeys } from '../../../sdk/logs/refusal-digest.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { KeyRow } from '../../kernel/store/tables/tables.ts';
import type { AuditLog } from './audit-log.ts';
import type { AuditRecord } from './audit-store.ts';

export interface RefusedKeysOptions {
  readonly store: Pick<Store, 'db'>;
  readonly audit: Pick<AuditLog, 'write'>;
  readonly clock: Pick<Clock, 'after' | 'wall'>;
  /** Takes what the operator is told. */
  readonly say: (text: string) => void;
}

/** At most so many records are written in a quarter of an hour, beside one for each address at its end. */
const bounds = { intervalMs: 900_000, maxAddresses: 16, maxAtOnce: 32 };

type Owner = Pick<KeyRow, 'id' | 'organisation_id' | 'workspace_id'>;

interface Owners {
  readonly keys: readonly Owner[];
  /** The organisation that was there first, which is the operator's; undefined if there is none. */
  readonly first: string | undefined;
}

const readOwners = async ({ db }: Pick<Store, 'db'>, ids: readonly string[]): Promise<Owners> => {
  const keys = isNonEmpty(ids)
    ? await db.selectFrom('keys').select(['id', 'organisation_id', 'workspace_id']).where('id', 'in', ids).execute()
    : [];
  const first = await db.selectFrom('organisations').select('id').orderBy('id').limit(1).executeTakeFirst();
  return { keys, first: first?.id };
};

interface Refused extends Pick<AuditRecord, 'organisation' | 'workspace' | 'actor'> {
  readonly count: number;
}

const toRecord = ({ count, ...whose }: Refused, { address, since, until }: RefusedKeys): AuditRecord => ({
  ...{ id: newId(until), at: until, method: '', uri: '', resourceType: 'keys', action: 'refused', status: 401 },
  ...whose,
  clientIp: address,
  detail: { count, since: Math.floor(since / 1000), until: Math.floor(until / 1000) },
});

/** The refusals of each key that the store has, for those whose it is, and all others for the operator's organisation. */
const toRecords = (refused: RefusedKeys, { keys, first }: Owners): readonly AuditRecord[] => {
  const known = keys.flatMap(({ id, organisation_id: organisation, workspace_id: workspace }) => {
    const count = refused.keyIds.get(id);
    if (count === undefined) return [];
    return [{ organisation, ...(workspace === null ? {} : { workspace }), actor: id, count }];
  });
  const count = known.reduce((rest, each) => rest - each.count, refused.count);
  const others = first === undefined || count === 0 ? [] : [{ organisation: first, actor: 'unknown', count }];
  return [...known, ...others].map((each) => toRecord(each, refused));
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
      const owners = await readOwners(store, [...new Set(reports.flatMap(({ keyIds }) => [...keyIds.keys()]))]);
      await Promise.all(reports.flatMap((each) => toRecords(each, owners)).map((record) => audit.write(record)));
    } catch (error) {
      const count = reports.reduce((sum, each) => sum + each.count, 0);
      const why = errorText(error);
      say(`gw: The audit log lacks ${count} requests whose service keys were refused: ${why}\n`);
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
