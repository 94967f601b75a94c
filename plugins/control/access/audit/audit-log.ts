import { dayMs } from '../../../../schema/durations.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { Clock } from '../../../sdk/clock.ts';
import { pruneHourly } from '../../kernel/store/prune-hourly.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { AuditRecord } from './audit-record.ts';
import { insertAudit, pruneAudits } from './audit-store.ts';

export interface AuditLogOptions {
  readonly store: Pick<Store, 'write'>;
  readonly clock: Pick<Clock, 'after' | 'wall'>;
  /** Takes what the operator is told. */
  readonly say: (text: string) => void;
  /** For how many days records are kept; 400 if absent. */
  readonly keepDays?: number | undefined;
}

const defaultKeepDays = 400;

/** Where it is written down what was changed, and by whom. Old records are deleted until it is closed. */
export interface AuditLog {
  /**
   * Resolves to whether the record was new. It never rejects: where the store is unavailable the operator is told once, and what is
   * lost is counted.
   */
  write(record: AuditRecord): Promise<boolean>;
  /** Resolves when all that was begun is written. */
  close(): Promise<void>;
}

export const createAuditLog = ({ store, clock, say, keepDays = defaultKeepDays }: AuditLogOptions): AuditLog => {
  const pruning = pruneHourly({
    clock,
    prune: (now, isOver) => pruneAudits(store, now - keepDays * dayMs, isOver),
  });
  const writing = new Set<Promise<unknown>>();
  let lost = 0;

  const insert = async (record: AuditRecord): Promise<boolean> => {
    try {
      const isNew = await store.write((transaction) => insertAudit(transaction, record));
      if (lost > 0) say(`gw: The audit log is written again. It lacks ${lost} ${lost === 1 ? 'record' : 'records'}.\n`);
      lost = 0;
      return isNew;
    } catch (error) {
      if (lost === 0) say(`gw: The audit log cannot be written: ${errorText(error)}\n`);
      lost += 1;
      return true;
    }
  };

  return {
    write(record) {
      const written = insert(record);
      writing.add(written);
      void written.then(() => writing.delete(written));
      return written;
    },
    async close() {
      await pruning.close();
      await Promise.all(writing);
    },
  };
};
