import type { Store } from '../store/store.ts';
import type { AuditRecord } from './audit-record.ts';
import { insertAudit } from './audit-store.ts';

export interface AuditLogOptions {
  readonly store: Pick<Store, 'write'>;
  /** Takes what the operator is told. */
  readonly say: (text: string) => void;
}

/** Where it is written down what was changed, and by whom. */
export interface AuditLog {
  /**
   * Resolves to whether the record was new. It never rejects: where the store is away the operator is told once, and what is
   * lost is counted.
   */
  write(record: AuditRecord): Promise<boolean>;
  /** Resolves when all that was begun is written. */
  close(): Promise<void>;
}

export const createAuditLog = ({ store, say }: AuditLogOptions): AuditLog => {
  const writing = new Set<Promise<unknown>>();
  let lost = 0;

  const insert = async (record: AuditRecord): Promise<boolean> => {
    try {
      const isNew = await store.write((transaction) => insertAudit(transaction, record));
      if (lost > 0) say(`gw: The audit log is written again. It lacks ${lost} ${lost === 1 ? 'record' : 'records'}.\n`);
      lost = 0;
      return isNew;
    } catch (error) {
      if (lost === 0)
        say(`gw: The audit log cannot be written: ${error instanceof Error ? error.message : String(error)}\n`);
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
      await Promise.all(writing);
    },
  };
};
