import { hiddenCredential, withoutCredentials } from '../../../../schema/credentials/credential-form.ts';
import { dayMs } from '../../../../schema/durations.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import { isNonEmpty } from '../../../../schema/json/json.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { Clock } from '../../../sdk/clock.ts';
import { createRefusalDigest, type RefusalDigest, type RefusedKeys } from '../../../sdk/logs/refusal-digest.ts';
import type { AnyRouteRow, RouteContext, RouteInput } from '../../../sdk/route/route-row.ts';
import { pruneHourly, type Repetition } from '../../kernel/jobs/prune-hourly.ts';
import { type ControlRoute, isChange } from '../../kernel/requests/control-route.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import { newId } from '../../kernel/store/new-id.ts';
import { type Store, StoreError } from '../../kernel/store/store.ts';
import { storeUnavailable } from '../../kernel/store/store-asker.ts';
import { type AuditRecord, insertAudit, pruneAudits } from './audit-store.ts';
import { findActingWorkspace } from './find-acting-workspace.ts';

/** The maximum number of records written at once in a quarter of an hour, and of addresses that each get a record at its end. */
const bounds = { intervalMs: 900_000, maxAddresses: 16, maxAtOnce: 32 };

/** Finds the owners of the refused keys, and the oldest organisation, which is the operator's. */
const readOwners = async ({ db }: Pick<Store, 'db'>, reports: readonly RefusedKeys[]) => {
  const ids = [...new Set(reports.flatMap(({ keyIds }) => [...keyIds.keys()]))];
  const keys = isNonEmpty(ids)
    ? await db.selectFrom('keys').select(['id', 'organisation_id', 'workspace_id']).where('id', 'in', ids).execute()
    : [];
  const first = await db.selectFrom('organisations').select('id').orderBy('id').limit(1).executeTakeFirst();
  return { keys, first };
};

/** Where keys are refused: in requests, or when signing in to the console. */
type Refusal = Pick<AuditRecord, 'method' | 'uri' | 'resourceType'>;

const refusals: Readonly<Record<'requests' | 'signIns', Refusal>> = {
  requests: { method: '', uri: '', resourceType: 'keys' },
  signIns: { method: 'POST', uri: '/v1/console/session', resourceType: 'sessions' },
};

/** Creates a record of the refusals of each key in the store, for its owner, and one of all others for the operator. */
const toRecords = (
  { keyIds, address, since, until, count }: RefusedKeys,
  { keys, first }: Awaited<ReturnType<typeof readOwners>>,
  of: Refusal,
): readonly AuditRecord[] => {
  const known = keys.flatMap(({ id, organisation_id: organisation, workspace_id: workspace }) => {
    const own = keyIds.get(id);
    return own === undefined ? [] : [{ organisation, workspace: workspace ?? undefined, actor: id, count: own }];
  });
  const rest = known.reduce((left, each) => left - each.count, count);
  const others = first === undefined || rest === 0 ? [] : [{ organisation: first.id, actor: 'unknown', count: rest }];
  return [...known, ...others].map(({ count: refusals, ...whose }) => ({
    ...{ id: newId(until), at: until, action: 'refused', status: 401 },
    ...of,
    ...whose,
    clientIp: address,
    detail: { count: refusals, since: toSeconds(since), until: toSeconds(until) },
  }));
};

const longestUri = 1024;

/** Encodes a parameter of a path. A credential that was sent in place of an id is not kept. */
const toSegment = (value: unknown): string =>
  withoutCredentials(String(value ?? '').toWellFormed())
    .split(hiddenCredential)
    .map(encodeURIComponent)
    .join(hiddenCredential);

/** Returns the path that was called, below `/v1`. */
const toUri = ({ path }: AnyRouteRow, { params }: RouteInput): string =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => toSegment(params[name])).slice(0, longestUri);

/**
 * Wraps routes so that their changes are written to the audit log, including refused ones, except requests that change nothing.
 * The response to a change is sent after its record was written.
 */
export const audited = (rows: readonly ControlRoute[], log: AuditLog): readonly AnyRouteRow[] =>
  rows.map((row) => {
    if (!isChange(row)) return row;
    const write = async (
      input: RouteInput,
      context: RouteContext,
      { workspace, status }: Pick<AuditRecord, 'workspace' | 'status'>,
    ): Promise<void> => {
      const { organisation, keyId } = context.principal;
      // Keys of the gateway file change nothing in the store.
      if (organisation === undefined) return;
      const [resourceType = '', action = ''] = (row.scope ?? '').split('.');
      const at = context.now();
      await log.write({
        ...{ id: newId(at), at, organisation, method: row.method, uri: `/v1${toUri(row, input)}` },
        workspace,
        ...{ actor: keyId ?? 'gateway', resourceType, action, status },
        clientIp: context.clientAddress,
        detail: { operation: row.operationId, trace: context.traceId },
      });
    };
    return {
      ...row,
      handle: async (input, context) => {
        let workspace: string | undefined = context.principal.workspace;
        try {
          // A deleted record cannot be found afterwards.
          workspace = await log.findPlace({ row, input, principal: context.principal });
          const reply = await row.handle(input, context);
          if (row.changesNothing?.(input, reply) !== true)
            await write(input, context, { workspace, status: reply.status });
          return reply;
        } catch (error) {
          if (row.changesNothing?.(input, undefined) !== true)
            void write(input, context, {
              workspace,
              status: error instanceof GatewayError ? error.report.status : 500,
            });
          throw error;
        }
      },
    };
  });

export interface AuditLogOptions {
  readonly store: Pick<Store, 'db' | 'write' | 'leads'>;
  readonly clock: Pick<Clock, 'after' | 'wall'>;
  /** Notifies the operator. */
  readonly say: (text: string) => void;
  /** How many days records are kept; 400 if absent. */
  readonly keepDays?: number | undefined;
}

/** Records what was changed, and by whom. Old records are deleted until it is closed. */
export class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #pruning: Repetition;
  /** Receives the refusals of service keys, which are recorded with their origin, in a limited number of records. */
  readonly refusals: RefusalDigest;
  /** Receives the refusals of keys that were used to sign in, in the same way. */
  readonly refusedSignIns: RefusalDigest;
  #written: Promise<void> = Promise.resolve();
  #lost = 0;

  constructor(options: AuditLogOptions) {
    const { store, clock, keepDays = 400 } = options;
    this.#options = options;
    this.#pruning = pruneHourly({
      ...{ clock, store },
      prune: (now, isOver) => pruneAudits(store, now - keepDays * dayMs, isOver),
    });
    const createDigest = (of: Refusal): RefusalDigest =>
      createRefusalDigest({
        ...{ ...bounds, clock },
        report: (reports) => this.#awaitAtEnd(this.#writeRefusals(reports, of)),
      });
    this.refusals = createDigest(refusals.requests);
    this.refusedSignIns = createDigest(refusals.signIns);
  }

  /**
   * Finds the workspace that a request acts in. Rejects with the `GatewayError` `store-unavailable` if the store is unavailable,
   * so that the change, which would fail too, does not wait for the store once more.
   */
  async findPlace(asked: Parameters<typeof findActingWorkspace>[1]): Promise<string | undefined> {
    try {
      return await findActingWorkspace(this.#options.store.db, asked);
    } catch (error) {
      if (error instanceof StoreError) throw storeUnavailable(error.message);
      return asked.principal.workspace;
    }
  }

  /**
   * Resolves to whether the record was new. Never rejects: if the store is unavailable, the operator is notified once, and lost
   * records are counted.
   */
  write(record: AuditRecord): Promise<boolean> {
    const written = this.#insert(record);
    this.#awaitAtEnd(written);
    return written;
  }

  /** Resolves when all pending writes have ended. */
  async close(): Promise<void> {
    this.refusals.close();
    this.refusedSignIns.close();
    await this.#pruning.close();
    await this.#written;
  }

  #awaitAtEnd(work: Promise<unknown>): void {
    this.#written = Promise.all([this.#written, work]).then(() => {});
  }

  async #insert(record: AuditRecord): Promise<boolean> {
    const { store, say } = this.#options;
    try {
      const isNew = await store.write((transaction) => insertAudit(transaction, record));
      const lost = this.#lost;
      if (lost > 0) say(`gw: The audit log is written again. It lacks ${lost} ${lost === 1 ? 'record' : 'records'}.\n`);
      this.#lost = 0;
      return isNew;
    } catch (error) {
      if (this.#lost === 0) say(`gw: The audit log cannot be written: ${errorText(error)}\n`);
      this.#lost += 1;
      return true;
    }
  }

  async #writeRefusals(reports: readonly RefusedKeys[], of: Refusal): Promise<void> {
    try {
      const owners = await readOwners(this.#options.store, reports);
      await Promise.all(reports.flatMap((each) => toRecords(each, owners, of)).map((record) => this.#insert(record)));
    } catch (error) {
      const count = reports.reduce((sum, each) => sum + each.count, 0);
      const lacked = count === 1 ? '1 request whose service key was' : `${count} requests whose service keys were`;
      this.#options.say(`gw: The audit log lacks ${lacked} refused: ${errorText(error)}\n`);
    }
  }
}
