import { sql } from 'kysely';
import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { Clock } from '../../../../sdk/clock.ts';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import type { BlobRef } from '../../../kernel/blobs/blobs.ts';
import type { JobQueue, RunningJob } from '../../../kernel/jobs/job-queue.ts';
import type { Reading } from '../../../kernel/records/records.ts';
import { type RowInserterOptions, rowInserter, toRowValues } from '../../../kernel/store/rows/row-inserter.ts';
import type { Store, Writing } from '../../../kernel/store/store.ts';
import type { BatchPartRow, BatchRow, UsedColumns } from '../../../kernel/store/tables.ts';
import type { WorkParts } from '../../provider-requests/work-parts.ts';
import { endStatuses } from '../batch/batch-members.ts';

/** The results of a part: first those for the output file, and from `errorsFrom` on those for the error file. */
export interface PartResult {
  readonly blob: BlobRef;
  readonly errorsFrom: number;
}

export const findResult = ({ result }: Pick<BatchPartRow, 'result'>): PartResult | undefined =>
  result === null ? undefined : (fromJson(result) as PartResult);

export const findBatch = (
  db: Reading,
  { id, tenant }: { readonly id: string; readonly tenant: TenantId },
): Promise<BatchRow | undefined> =>
  db.selectFrom('batches').selectAll().where('workspace_id', '=', tenant).where('id', '=', id).executeTakeFirst();

/** Lists the batches of a virtual key or saved provider, the newest first, and one more than the limit if there are more. */
export const listBatchRows = (
  db: Reading,
  {
    tenant,
    slug,
    after,
    limit,
  }: { readonly tenant: TenantId; readonly slug: string; readonly after?: string | undefined; readonly limit: number },
): Promise<BatchRow[]> =>
  db
    .selectFrom('batches')
    .selectAll()
    .where('workspace_id', '=', tenant)
    .where('slug', '=', slug)
    .$if(after !== undefined, (query) => query.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();

export const changeBatch = async (writing: Writing, id: string, change: Partial<BatchRow>): Promise<void> => {
  await writing.updateTable('batches').set(change).where('id', '=', id).execute();
};

/** The counts and the usage of the lines of a part. */
export type Tally = UsedColumns & Pick<BatchRow, 'completed' | 'failed'>;

export const addTally = async (writing: Writing, id: string, tally: Tally): Promise<void> => {
  const sums = Object.entries(tally).map(([name, more]) => [name, sql<number>`${sql.ref(name)} + ${more}`]);
  await writing.updateTable('batches').set(Object.fromEntries(sums)).where('id', '=', id).execute();
};

export type NewPart = Omit<BatchPartRow, 'batch_id' | 'result'>;

const partColumns: RowInserterOptions['columns'] = {
  ...{ batch_id: 'text', number: 'integer', from_byte: 'integer', to_byte: 'integer' },
  ...{ first_line: 'integer', lines: 'integer', result: 'text?' },
};

const insertPartRows = rowInserter('batch_parts', { columns: partColumns });

export const insertParts = async (
  { kind }: Pick<Store, 'kind'>,
  writing: Writing,
  { id, parts }: { readonly id: string; readonly parts: readonly NewPart[] },
): Promise<void> => {
  const rows = parts.map((part) => toRowValues(partColumns, { batch_id: id, ...part, result: null }));
  await insertPartRows(writing, kind, rows);
};

export const findPart = (db: Reading, id: string, number: number): Promise<BatchPartRow | undefined> =>
  db.selectFrom('batch_parts').selectAll().where('batch_id', '=', id).where('number', '=', number).executeTakeFirst();

const pageSize = 200;

/** Yields the parts of a batch in order. */
export async function* toParts(db: Reading, id: string): AsyncGenerator<BatchPartRow, void> {
  for (let from = 0; ; from += pageSize) {
    const rows = await db
      .selectFrom('batch_parts')
      .selectAll()
      .where('batch_id', '=', id)
      .where('number', '>=', from)
      .where('number', '<', from + pageSize)
      .orderBy('number')
      .execute();
    yield* rows;
    if (rows.length === 0) return;
  }
}

export const setPartResult = async (
  writing: Writing,
  { batch_id, number }: Pick<BatchPartRow, 'batch_id' | 'number'>,
  result: PartResult,
): Promise<void> => {
  await writing
    .updateTable('batch_parts')
    .set({ result: JSON.stringify(result) })
    .where('batch_id', '=', batch_id)
    .where('number', '=', number)
    .execute();
};

export const deleteParts = async (writing: Writing, id: string): Promise<void> => {
  await writing.deleteFrom('batch_parts').where('batch_id', '=', id).execute();
};

/** Lists the batches that read a file. */
export const listReaders = async (db: Reading, tenant: TenantId, file: string): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('batches')
    .select('id')
    .where('workspace_id', '=', tenant)
    .where('input_file_id', '=', file)
    .where('status', 'not in', endStatuses)
    .limit(1)
    .execute();
  return rows.map(({ id }) => `the batch ${id}`);
};

/** The parts that batch jobs are built from. */
export interface BatchJobParts
  extends Pick<WorkParts, 'store' | 'files' | 'blobs' | 'jobs' | 'principalNow' | 'usageKept' | 'readView'> {
  readonly clock: Clock;
}

/** The kinds of jobs of a batch: check its file, run its parts, write its files. */
export const kinds = { check: 'batch-check', lane: 'batch-lane', end: 'batch-end' } as const;

/** A batch, as its jobs name it. */
export interface BatchName {
  readonly id: string;
  readonly tenant: TenantId;
}

export const toName = ({ payload, tenant }: Pick<RunningJob, 'payload' | 'tenant'>): BatchName => ({
  id: String(payload.batch),
  // A tenant is named by its workspace.
  tenant: tenant as TenantId,
});

/** Makes the job that ends a batch run now. */
export const runEndJobNow = (jobs: JobQueue, writing: Writing, id: string): Promise<void> =>
  jobs.makeDue(writing, { kind: kinds.end, id });
