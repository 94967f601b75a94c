import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Usage } from '../../../../../schema/conversation/conversation.ts';
import { isSuccess } from '../../../../../schema/http/status.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../../../schema/json/loose.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import { isPlausibleUsage } from '../../../../../schema/usage/plausible-usage.ts';
import { toUsageRecord, type UsageRecord } from '../../../../../schema/usage/usage-record.ts';
import type { Clock } from '../../../../sdk/clock.ts';
import type { Dialect } from '../../../../sdk/dialect/dialect.ts';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import { type JobOutcome, jobDone, type RunningJob } from '../../../kernel/jobs/job-queue.ts';
import { storedLimits } from '../../../kernel/limits/own-limits.ts';
import type { Writing } from '../../../kernel/store/store.ts';
import type { WatchedBatchRow } from '../../../kernel/store/tables.ts';
import { createRecords, type LedgerRecord, recordedCharge } from '../../../metering/ledger/ledger-record.ts';
import { writeRecords } from '../../../metering/ledger/write-records.ts';
import type { OpenLateUses } from '../../../metering/limiter/late-uses.ts';
import type { Files } from '../../files/files.ts';
import type { WorkParts } from '../../provider-requests/work-parts.ts';
import type { LineResult } from '../batch/batch-lines.ts';
import { addUsed, nothingUsed } from '../batch/batch-members.ts';
import type { BatchResult, EndedBatch, ProviderCall } from '../batch/executor.ts';
import { changeWatched, findKept, toPlace } from '../providers/watched-batches.ts';
import { createLineIds, wholeBatchId } from './line-ids.ts';

/**
 * Files of the gateway with the results of a batch: one for the successful lines and one for the others. Each is created with its
 * first line.
 */
class ResultFiles {
  readonly #files: Pick<Files, 'keep' | 'remove'>;
  readonly #row: WatchedBatchRow;
  readonly #open = new Map<string, { readonly bytes: PassThrough; readonly kept: Promise<string> }>();

  constructor(files: Pick<Files, 'keep' | 'remove'>, row: WatchedBatchRow) {
    this.#files = files;
    this.#row = row;
  }

  /** Resolves when there is room for more. */
  async write({ isSuccess, text }: LineResult): Promise<void> {
    const name = isSuccess ? 'output' : 'error';
    const { bytes, kept } = this.#open.get(name) ?? this.#start(name);
    if (!bytes.write(text)) await Promise.race([once(bytes, 'drain'), kept]);
  }

  /** Resolves to their ids when both are stored. */
  async end(): Promise<{ readonly output?: string; readonly error?: string }> {
    for (const { bytes } of this.#open.values()) bytes.end();
    return Object.fromEntries(
      await Promise.all([...this.#open].map(async ([name, { kept }]) => [name, await kept] as const)),
    );
  }

  /** Removes the files that were already stored. */
  async abandon(): Promise<void> {
    for (const { bytes, kept } of this.#open.values()) {
      bytes.destroy(new Error('The results of the batch ended early.'));
      const file = await kept.catch(() => undefined);
      if (file !== undefined) await this.#files.remove(this.#row.workspace_id as TenantId, file);
    }
  }

  #start(name: string) {
    const { workspace_id: tenant, remote_id: id, key_id: createdBy } = this.#row;
    const bytes = new PassThrough();
    // The code that stores the file reports its errors.
    bytes.on('error', () => {});
    const about = { purpose: 'batch_output', filename: `${id}_${name}.jsonl` };
    const kept = this.#files
      .keep(tenant as TenantId, createdBy === null ? about : { ...about, createdBy }, bytes)
      .then((file) => file.id);
    kept.catch(() => {});
    this.#open.set(name, { bytes, kept });
    return { bytes, kept };
  }
}

/** The parts of the job that waits for batches of providers. */
export interface WatchParts extends WorkParts {
  readonly clock: Pick<Clock, 'wall'>;
  readonly lateUses: OpenLateUses;
  /** How many lines are charged in one transaction, for which others have to wait; 500 if absent. */
  readonly linesAtOnce?: number;
}

/** The service tier for batch prices. */
const tier = 'batch';

const readUsage = (body: JsonObject, dialect: Dialect | undefined): Usage | undefined => {
  try {
    return dialect?.usage?.(body);
  } catch {
    // A plugin's dialect failed.
    return undefined;
  }
};

/**
 * Reads the usage of a line from its result; undefined if the line never ran. A failed line used nothing, like any request that a
 * provider answers with an error.
 */
const lineUse = ({ line, usage }: BatchResult, dialect: Dialect | undefined): UsageRecord | undefined => {
  const response = findObject(line.response);
  if (response === undefined) return undefined;
  const body = findObject(response.body) ?? {};
  const used = isSuccess(findNumber(response.status_code) ?? 200) ? (usage ?? readUsage(body, dialect)) : undefined;
  const model = dialect?.answeredBy?.(body) ?? '';
  return used !== undefined && isPlausibleUsage(used)
    ? toUsageRecord({ ...used, tier }, { kind: used.missing === undefined ? 'reported' : 'partial', model })
    : toUsageRecord({ input: 0, output: 0, tier }, { kind: 'none', model });
};

/** Reads the ids of the keys whose limits are shared with the key that created a batch, whoever asks for the batch now. */
const readShares = async (
  { store }: Pick<WatchParts, 'store'>,
  { organisation_id, key_id }: WatchedBatchRow,
): Promise<readonly string[] | undefined> => {
  if (key_id === null) return undefined;
  const key = await store.db
    .selectFrom('keys')
    .select('limits')
    .where('organisation_id', '=', organisation_id)
    .where('id', '=', key_id)
    .executeTakeFirst();
  return storedLimits(key?.limits ?? null).shares;
};

/** The dialects of endpoints, because policies can name dialects too. */
const endpointDialects: ReadonlyMap<string, string> = new Map([
  ['/v1/chat/completions', 'chat'],
  ['/v1/completions', 'completions'],
  ['/v1/embeddings', 'embeddings'],
]);

/**
 * Reads the results of an ended batch once, and charges the ledger and limits with the usage of each line. Results in a
 * provider's own form are stored as files. Each ledger row has an id derived from its line, so that starting again writes no line
 * twice. Limits are charged together with the mark that the batch is charged.
 */
export const chargeBatch = async (
  parts: WatchParts,
  {
    job,
    row,
    call,
    ended,
  }: {
    readonly job: RunningJob;
    readonly row: WatchedBatchRow;
    readonly call: ProviderCall;
    readonly ended: EndedBatch;
  },
): Promise<JobOutcome> => {
  const { store, wholeCatalogue, clock, lateUses, linesAtOnce = 500 } = parts;
  const place = toPlace(call, row.remote_id);
  const endpointType = endpointDialects.get(row.endpoint) ?? '';
  const uses = await lateUses({
    ...{ organisation: row.organisation_id, workspace: row.workspace_id, key: row.key_id ?? undefined },
    sharesLimitsOf: await readShares(parts, row),
    ...{ metadata: parseObject(row.labels) ?? {}, endpointType, slug: row.slug },
    ...{ provider: call.account.provider, prices: call.account.prices },
  });
  const model = row.model ?? (await ended.model?.()) ?? '';
  const dialect = (await wholeCatalogue()).dialects.get(endpointType);
  const files = new ResultFiles(parts.files, row);
  const toRecord = createRecords();
  const toLineId = createLineIds(place);
  /** Lines that are not in the ledger yet. */
  let records: LedgerRecord[] = [];
  let number = 0;
  let used = nothingUsed;

  const add = (result: BatchResult): void => {
    number += 1;
    const id = toLineId(findText(result.line.custom_id));
    const usage = lineUse(result, dialect);
    if (usage === undefined) return;
    const booked = uses.add({
      ...{ id, model, usage },
      trace: `${place.id}-${number}`,
    });
    used = addUsed(used, booked.usage);
    if (booked.posting !== undefined) records.push(toRecord(booked.posting));
  };

  const write = (writing: Writing, lines: readonly LedgerRecord[]): Promise<void> =>
    writeRecords(writing, lines, { kind: store.kind, bounds: undefined });

  /** Reads all results, and charges limits with them; undefined if the job's lease was lost meanwhile. */
  const collect = async () => {
    for await (const result of ended.results()) {
      if (job.cancellation.cancelled) return undefined;
      if (result.kept !== undefined) await files.write(result.kept);
      add(result);
      if (records.length < linesAtOnce) continue;
      const lines = records;
      records = [];
      if ((await job.commit((writing) => write(writing, lines))) === 'fenced') return undefined;
    }
    const [made, id, at] = [await files.end(), wholeBatchId(place), clock.wall()];
    const charges = await uses.charge(id);
    return { made, charges, record: { id, at, charges: charges.posted.map(recordedCharge) } };
  };

  const collected = await collect().catch(async (error: unknown) => {
    await files.abandon();
    throw error;
  });
  const conclude = async ({ made, record }: NonNullable<typeof collected>): Promise<'committed' | 'fenced'> =>
    job.commit(async (writing) => {
      await write(writing, [...records, record]);
      const kept = await findKept(writing, place);
      if (kept !== undefined)
        await writing
          .updateTable('provider_batches')
          .set({ is_collected: 1, output_file_id: made.output ?? null, error_file_id: made.error ?? null })
          .where('workspace_id', '=', kept.workspace_id)
          .where('slug', '=', kept.slug)
          .where('remote_id', '=', kept.remote_id)
          .execute();
      await changeWatched(writing, place, { state: 'charged', ...used });
    }, jobDone);
  // If this fails, it is not known whether the files are recorded, so they stay.
  if (collected !== undefined && (await conclude(collected)) === 'committed') {
    collected.charges.onStored();
    return jobDone;
  }
  await files.abandon();
  return { kind: 'again', runAt: clock.wall() };
};
