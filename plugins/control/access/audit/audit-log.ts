import { dayMs } from '../../../../schema/durations.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { AnyRouteRow, RouteContext, RouteInput } from '../../../sdk/route/route-row.ts';
import { isChange } from '../../kernel/requests/control-route.ts';
import { newId } from '../../kernel/store/new-id.ts';
import { pruneHourly } from '../../kernel/store/prune-hourly.ts';
import type { Store } from '../../kernel/store/store.ts';
import { type AuditRecord, insertAudit, pruneAudits } from './audit-store.ts';

const longestUri = 1024;

/** The path that was called, below `/v1`. */
const toUri = (row: Pick<AnyRouteRow, 'path'>, { params }: RouteInput): string =>
  row.path
    .replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '').toWellFormed()))
    .slice(0, longestUri);

const findRecord = (
  row: AnyRouteRow,
  input: RouteInput,
  { context, status }: { readonly context: RouteContext; readonly status: number },
): AuditRecord | undefined => {
  const { organisation, workspace, keyId } = context.principal;
  // Keys of the gateway file change nothing in the store.
  if (organisation === undefined) return undefined;
  const [resourceType = '', action = ''] = (row.scope ?? '').split('.');
  const at = context.now();
  return {
    ...{ id: newId(at), at, organisation, method: row.method, uri: `/v1${toUri(row, input)}` },
    workspace,
    ...{ actor: keyId ?? 'gateway', resourceType, action, status },
    clientIp: context.clientAddress,
    detail: { operation: row.operationId, trace: context.traceId },
  };
};

const readStatus = (error: unknown): number => (error instanceof GatewayError ? error.report.status : 500);

/**
 * Routes whose changes are written down in the audit log, those that are refused too. An answer to a change that was made
 * waits for its record.
 */
export const audited = (rows: readonly AnyRouteRow[], log: AuditLog): readonly AnyRouteRow[] =>
  rows.map((row) => {
    if (!isChange(row)) return row;
    const write = async (input: RouteInput, about: { readonly context: RouteContext; readonly status: number }) => {
      const record = findRecord(row, input, about);
      if (record !== undefined) await log.write(record);
    };
    return {
      ...row,
      handle: async (input, context) => {
        try {
          const reply = await row.handle(input, context);
          await write(input, { context, status: reply.status });
          return reply;
        } catch (error) {
          void write(input, { context, status: readStatus(error) });
          throw error;
        }
      },
    };
  });

export interface AuditLogOptions {
  readonly store: Pick<Store, 'write'>;
  readonly clock: Pick<Clock, 'after' | 'wall'>;
  /** Notifies the operator. */
  readonly say: (text: string) => void;
  /** For how many days records are kept; 400 if absent. */
  readonly keepDays?: number | undefined;
}

const defaultKeepDays = 400;

/** Where it is written down what was changed, and by whom. Old records are deleted until it is closed. */
export interface AuditLog {
  /**
   * Resolves to whether the record was new. It never rejects: where the store is unavailable the operator is notified once, and what is
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
