import { expect } from 'vitest';
import { StoredJobQueue } from '../../../../../../plugins/control/kernel/jobs/create-job-queue.ts';
import type { JobQueue } from '../../../../../../plugins/control/kernel/jobs/job-queue.ts';
import { newMasterKey } from '../../../../../../plugins/control/kernel/secrets/master-key.ts';
import type { Store } from '../../../../../../plugins/control/kernel/store/store.ts';
import type { NewBatchBody } from '../../../../../../plugins/control/work/batches/batch/batch-bodies.ts';
import type { BatchCall, Executor } from '../../../../../../plugins/control/work/batches/batch/executor.ts';
import { runBatches } from '../../../../../../plugins/control/work/batches/managed/batch-jobs.ts';
import { managedExecutor } from '../../../../../../plugins/control/work/batches/managed/managed-executor.ts';
import type { StoredFiles } from '../../../../../../plugins/control/work/files/create-files.ts';
import type { WorkParts } from '../../../../../../plugins/control/work/provider-requests/work-parts.ts';
import type { Clock } from '../../../../../../plugins/sdk/clock.ts';
import type { Principal, TenantId } from '../../../../../../plugins/sdk/exchange/exchange.ts';
import type { RouteReply } from '../../../../../../plugins/sdk/route/route-row.ts';
import { systemClock } from '../../../../../../runtime/in-memory/system-clock.ts';
import { nothingSaved } from '../../../../../../schema/config/saved.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../../../schema/json/json.ts';
import type { UsageRecord } from '../../../../../../schema/usage/usage-record.ts';
import { allOf, filing } from '../../files/support/filing.ts';

/** The answer of a provider to a line. */
export interface LineAnswer {
  readonly status?: number;
  readonly headers?: readonly string[];
  readonly body?: Json;
  /** Returned only to a request that asks for its usage. */
  readonly usage?: UsageRecord;
}

export type AnswerLine = (body: JsonObject, traceId: string) => LineAnswer | Promise<LineAnswer>;

export interface BatchWorldOptions {
  readonly store: Store;
  readonly folder: string;
  readonly answer: AnswerLine;
  /** The stores that the processes that run batches see, one each. The default is one process that sees `store`. */
  readonly stores?: readonly Store[];
  readonly leaseMs?: number;
  /** The default is the system clock. */
  readonly clock?: Clock;
}

/** The events in a world, and whether the creator of batches has lost its access. */
export interface WorldState {
  isRevoked: boolean;
  sent: number;
  underWay: number;
  readonly messages: string[];
}

/** Processes that run batches on one store, and a workspace in it. */
export interface BatchWorld {
  readonly state: WorldState;
  readonly tenant: TenantId;
  readonly other: TenantId;
  /** The files of the first process. */
  readonly files: StoredFiles;
  readonly executor: Executor;
  readonly jobs: JobQueue;
  call(headers?: readonly string[], of?: TenantId): BatchCall;
  /** Stores an input file, and returns its id. */
  upload(text: string | Buffer): Promise<string>;
  /** Creates a batch from a file. */
  create(file: string, body?: Partial<NewBatchBody>): Promise<JsonObject>;
  get(id: Json | undefined): Promise<JsonObject>;
  cancel(id: Json | undefined): Promise<JsonObject>;
  /** Returns the batch when it has ended. */
  over(id: Json | undefined): Promise<JsonObject>;
  /** Returns the results in a file. */
  lines(file: Json | undefined): Promise<readonly JsonObject[]>;
  close(): Promise<void>;
}

const toBody = (reply: RouteReply): JsonObject => ('body' in reply && isJsonObject(reply.body) ? reply.body : {});

async function* once(text: string | Buffer): AsyncGenerator<Buffer, void> {
  yield Buffer.from(text);
}

export const batchWorld = async (options: BatchWorldOptions): Promise<BatchWorld> => {
  const { store, folder, answer, stores = [store], leaseMs = 15_000, clock = systemClock } = options;
  const masterKey = newMasterKey();
  const { tenant, other } = await filing({ store, folder, masterKey });
  const principal = { tenant, keyId: 'key', organisation: 'o', reach: 'workspace' } as Principal;
  const state: WorldState = { isRevoked: false, sent: 0, underWay: 0, messages: [] };

  const startProcess = async (seen: Store) => {
    const { files, blobs, sealer, time } = await filing({ store: seen, folder, masterKey });
    time.now = clock.wall();
    const jobs = new StoredJobQueue({
      store: seen,
      clock,
      say: (text) => state.messages.push(text),
      pollMs: 50,
      leaseMs,
    });
    const parts = {
      ...{ store: seen, files, blobs, sealer, jobs, clock, now: () => clock.wall() },
      principalNow: async () => (state.isRevoked ? undefined : principal),
      usageKept: async () => {},
      readView: async () => ({ saved: nothingSaved, config: () => undefined, configNames: () => [] }),
      overlay: { saved: nothingSaved, configNames: () => [] },
    } as unknown as WorkParts & { readonly clock: Clock };
    runBatches(parts);
    jobs.start({
      dispatch:
        ({ traceId }) =>
        async ({ received, asksUsage }) => {
          const body = received?.json?.() ?? {};
          state.sent += 1;
          state.underWay += 1;
          const { status = 200, headers = [], body: answered = { echoed: body }, usage } = await answer(body, traceId);
          state.underWay -= 1;
          const bytes = Buffer.from(JSON.stringify(answered));
          const response = { status, headers, origin: 'upstream', body: { kind: 'bytes', bytes } } as const;
          return asksUsage === true && usage !== undefined ? { ...response, usages: () => [usage] } : response;
        },
    });
    return { jobs, files, executor: managedExecutor(parts) };
  };
  const processes = await Promise.all(stores.map(startProcess));
  const [first] = processes;
  if (first === undefined) throw new Error('There is no process.');
  const { executor, files, jobs } = first;

  const call: BatchWorld['call'] = (headers = [], of = tenant) =>
    ({
      ...{
        tenant: of,
        account: async () => ({ slug: 'p', provider: 'echo', selectorHeaders: ['x-gw-virtual-key', 'p'] }),
      },
      context: { principal, headers, tenant: of, cancellation: { cancelled: false, onCancel: () => () => {} } },
    }) as unknown as BatchCall;

  const get: BatchWorld['get'] = async (id) => toBody(await executor.retrieve(call(), String(id)));

  return {
    ...{ state, tenant, other, files, executor, jobs, call, get },
    upload: async (text) => (await files.keep(tenant, { purpose: 'batch', filename: 'in.jsonl' }, once(text))).id,
    create: async (file, body = {}) =>
      toBody(
        await executor.create(call(), {
          ...{ input_file_id: file, endpoint: '/v1/chat/completions', completion_window: 'immediate' },
          ...body,
        }),
      ),
    cancel: async (id) => toBody(await executor.cancel(call(), String(id))),
    async over(id) {
      await expect
        .poll(async () => (await get(id)).status, { interval: 10 })
        .toMatch(/^(completed|cancelled|expired|failed)$/);
      return get(id);
    },
    async lines(file) {
      if (typeof file !== 'string') return [];
      const text = String(await allOf(files.read(tenant, file)));
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    async close() {
      await Promise.all(processes.map((each) => each.jobs.close()));
    },
  };
};

/** Returns a line of an input file. */
export const inputLine = (id: number | string, body: object = {}): string =>
  `${JSON.stringify({
    ...{ custom_id: `line-${id}`, method: 'POST', url: '/v1/chat/completions' },
    body: { model: 'm', messages: [], n: id, ...body },
  })}\n`;

export const inputLines = (count: number): string => Array.from({ length: count }, (_, at) => inputLine(at)).join('');
