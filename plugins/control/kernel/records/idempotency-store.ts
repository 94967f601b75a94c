import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import {
  type Claim,
  type ClaimedRequest,
  type IdempotencyStore,
  type RepeatedRequest,
  retentionMs,
} from '../../../sdk/control-plane/idempotency-store.ts';
import type { RawHeaders } from '../../../sdk/http/http.ts';
import type { Store, Writing } from '../store/store.ts';
import type { IdempotencyRow } from '../store/tables.ts';
import type { Reading } from './records.ts';

/** After this many milliseconds without a renewal, the process that runs a request is assumed to have ended. */
const deadMs = 60_000;
/** How often a claim is released again that could not be, for example because the database was away, in milliseconds. */
const releaseEveryMs = 1000;
/** The status of a request that has no reply yet. */
const running = 0;
/** In place of the reply of such a request: whether it has changed something. */
const unchanged = '';
const changed = 'changed';

/** A request that this process runs. */
interface Execution {
  readonly request: Repeatable;
  readonly now: () => number;
  hasChanged: boolean;
  isOver: boolean;
}

type Repeatable = Omit<ClaimedRequest, 'now'>;

const executions = new AsyncLocalStorage<Execution>();

/**
 * The key of a request's row. It contains a hash of the `idempotency-key`, because clients may derive that from their credentials
 * or send a credential by mistake.
 */
const toKey = ({ tenant, route, key }: RepeatedRequest) => ({ workspace_id: tenant, route, key: hash('sha256', key) });

/** Whether several processes serve a store, which claim their requests in it. */
const isShared = ({ kind, leads }: Store): boolean => kind === 'postgres' || leads !== undefined;

const find = async (db: Reading, request: ClaimedRequest, shared: boolean): Promise<Claim> => {
  const row = await db
    .selectFrom('idempotency')
    .selectAll()
    .where((where) => where.and(toKey(request)))
    .executeTakeFirst();
  if (row === undefined) return { kind: 'yours' };
  const { body_hash: bodyHash, status, reply, headers, created_at: keptAt } = row;
  if (request.now - keptAt >= retentionMs) return { kind: 'yours' };
  if (status === running) {
    if (shared && request.now - keptAt < deadMs) return { kind: 'running', bodyHash };
    return reply === changed ? { kind: 'changed', bodyHash } : { kind: 'yours' };
  }
  const body = reply === '' ? undefined : parseJson(reply);
  const sent = headers === null ? {} : { headers: fromJson(headers) as RawHeaders };
  return { kind: 'answered', reply: { bodyHash, status, keptAt, body, ...sent } };
};

const remove = async (writing: Writing, request: RepeatedRequest): Promise<void> => {
  await writing
    .deleteFrom('idempotency')
    .where((where) => where.and(toKey(request)))
    .execute();
};

const put = async (
  writing: Writing,
  request: RepeatedRequest,
  reply: Pick<IdempotencyRow, 'body_hash' | 'status' | 'reply' | 'headers' | 'created_at'>,
): Promise<void> => {
  await remove(writing, request);
  await writing
    .insertInto('idempotency')
    .values({ ...toKey(request), ...reply })
    .execute();
};

/** A claim that could not be released, and the time at which its request ended. */
interface HeldClaim {
  readonly request: RepeatedRequest;
  readonly endedAt: number;
}

/**
 * Creates a function that releases a claim. If that fails, it rejects, and the claim is released later, as long as repetitions
 * would be refused because of it.
 */
const createRelease = (store: Store, now: () => number): ((request: RepeatedRequest) => Promise<void>) => {
  const held = new Set<HeldClaim>();

  /** Leaves later claims of the same request as they are. */
  const release = ({ request, endedAt }: HeldClaim): Promise<void> =>
    store.write(async (writing) => {
      await writing
        .deleteFrom('idempotency')
        .where((where) => where.and(toKey(request)))
        .where('status', '=', running)
        .where('created_at', '<=', endedAt)
        .execute();
    });

  const releaseHeld = async (): Promise<void> => {
    while (held.size > 0) {
      await setTimeout(releaseEveryMs, undefined, { ref: false });
      try {
        for (const claim of held) {
          if (now() - claim.endedAt < retentionMs) await release(claim);
          held.delete(claim);
        }
      } catch {
        // The database is still away.
      }
    }
  };

  return async (request) => {
    const claim = { request, endedAt: now() };
    try {
      await release(claim);
    } catch (error) {
      held.add(claim);
      if (held.size === 1) void releaseHeld();
      throw error;
    }
  };
};

/**
 * Returns a store whose writes also record, in the same transaction, that the request in which they happen has changed something.
 * If its process ends before the reply is stored, it is not run again.
 */
export const withExecutedRequests = (store: Store): Store => ({
  ...store,
  write: (run) =>
    store.write(async (writing) => {
      const result = await run(writing);
      const execution = executions.getStore();
      if (execution === undefined || execution.isOver) return result;
      execution.hasChanged = true;
      const { request, now } = execution;
      await put(writing, request, {
        ...{ body_hash: request.bodyHash, status: running, reply: changed, headers: null },
        created_at: now(),
      });
      return result;
    }),
});

/**
 * Keeps the replies to requests with an `idempotency-key` in the store, because a repeated request may reach another process. A
 * SQLite file may be served by a single process, which itself ensures that a request runs once at a time. Otherwise, requests are
 * claimed in the database.
 */
export const createStoredIdempotency = (store: Store, now: () => number): IdempotencyStore => {
  const shared = isShared(store);
  const open = new Map<string, Execution>();
  const releaseClaim = createRelease(store, now);
  const toName = ({ tenant, route, key }: RepeatedRequest): string => JSON.stringify([tenant, route, key]);

  /** Ends the recording of a request's changes. Resolves to whether it has made one. */
  const end = (request: RepeatedRequest): boolean => {
    const name = toName(request);
    const execution = open.get(name);
    open.delete(name);
    if (execution !== undefined) execution.isOver = true;
    return execution?.hasChanged === true;
  };

  return {
    claim: (request) =>
      shared
        ? store.write(async (writing) => {
            const claim = await find(writing, request, shared);
            if (claim.kind === 'yours')
              await put(writing, request, {
                ...{ body_hash: request.bodyHash, status: running, reply: unchanged, headers: null },
                created_at: request.now,
              });
            return claim;
          })
        : find(store.db, request, shared),
    during(request, run) {
      const execution = { request, now, hasChanged: false, isOver: false };
      open.set(toName(request), execution);
      return executions.run(execution, run);
    },
    renew: async (request) => {
      if (!shared) return;
      await store.write(async (writing) => {
        await writing
          .updateTable('idempotency')
          .set({ created_at: request.now })
          .where((where) => where.and(toKey(request)))
          .where('status', '=', running)
          .execute();
      });
    },
    keep(request, { bodyHash, status, body, headers, keptAt }) {
      end(request);
      return store.write(async (writing) => {
        await writing
          .deleteFrom('idempotency')
          .where('created_at', '<', now() - retentionMs)
          .execute();
        await put(writing, request, {
          ...{ body_hash: bodyHash, status, created_at: keptAt },
          reply: body === undefined ? '' : JSON.stringify(body),
          headers: headers === undefined ? null : JSON.stringify(headers),
        });
      });
    },
    async release(request) {
      if (end(request) || shared) await releaseClaim(request);
    },
  };
};
