import { createHash } from 'node:crypto';
import { maxQueuedClaims } from '../../../../sdk/fairness/fair-pool.ts';
import type { BlobRef } from '../../../kernel/blobs/blobs.ts';
import { type JobKind, type JobOutcome, jobDone, type RunningJob } from '../../../kernel/jobs/job-queue.ts';
import type { BatchPartRow, BatchRow } from '../../../kernel/store/tables.ts';
import {
  isLost,
  type LineError,
  maxLines,
  notRun,
  type ReadLine,
  requestLines,
  resultWithoutResponse,
  unreadable,
} from '../batch/batch-lines.ts';
import { isOver } from '../batch/batch-members.ts';
import {
  type BatchJobParts,
  type BatchName,
  changeBatch,
  deleteParts,
  findBatch,
  findResult,
  insertParts,
  kinds,
  listReaders,
  type NewPart,
  runEndJobNow,
  toName,
  toParts,
} from './batch-store.ts';
import { laneJob } from './lane-job.ts';
import { readPart, requestId } from './run-part.ts';

/** The maximum number of errors that a batch reports. */
const maxErrors = 100;

/** The maximum numbers of lines and bytes in a part of a batch; a single line may have more bytes. */
const partLimits = { lines: 20, bytes: 1_048_576 } as const;

/** The number of jobs that run the parts of one batch in parallel. */
const maxLanes = 16;

/** The result of checking an input file: its errors, or else its lines in parts. */
interface CheckedFile {
  readonly errors: readonly LineError[];
  readonly lines: number;
  readonly parts: readonly NewPart[];
}

/** Adds a line to the last part, or to a new one. */
const addLine = (parts: NewPart[], { number, from, to }: ReadLine): void => {
  const last = parts.at(-1);
  if (last !== undefined && last.lines < partLimits.lines && to - last.from_byte <= partLimits.bytes)
    parts[parts.length - 1] = { ...last, to_byte: to, lines: last.lines + 1 };
  else parts.push({ number: parts.length, from_byte: from, to_byte: to, first_line: number, lines: 1 });
};

const ofFile = (code: string, message: string): LineError => ({ code, message, param: null, line: null });

/** Checks each line of an input file. Neither the file nor its texts are held in memory. */
const checkFile = async (bytes: AsyncIterable<Uint8Array>, endpoint: string): Promise<CheckedFile> => {
  const errors: LineError[] = [];
  const ids = new Set<string>();
  const parts: NewPart[] = [];
  let lines = 0;
  for await (const { line, request } of requestLines(bytes, endpoint)) {
    lines += 1;
    if (lines > maxLines) errors.push(ofFile('too_many_lines', `The file has more than ${maxLines} lines.`));
    else if ('error' in request) errors.push({ ...request.error, line: line.number });
    else {
      const digest = createHash('sha256').update(JSON.stringify(request.customId)).digest('base64').slice(0, 24);
      if (ids.has(digest))
        errors.push({
          ...{ code: 'duplicate_custom_id', message: 'An earlier line has the same custom_id.' },
          ...{ param: 'custom_id', line: line.number },
        });
      ids.add(digest);
      addLine(parts, line);
    }
    if (lines > maxLines || errors.length >= maxErrors) break;
  }
  if (lines === 0) errors.push(ofFile('empty_file', 'The file has no lines.'));
  return { errors, lines, parts };
};

/** The job that checks the input file of a batch, and then starts its lines. */
const checkJob = ({ store, files, jobs, clock }: BatchJobParts): JobKind => {
  const check = async ({ tenant }: BatchName, row: BatchRow): Promise<CheckedFile> => {
    try {
      return await checkFile(files.read(tenant, row.input_file_id), row.endpoint);
    } catch (error) {
      if (isLost(error)) return { errors: [unreadable], lines: 0, parts: [] };
      throw error;
    }
  };

  return {
    name: kinds.check,
    concurrency: 8,
    async run(job) {
      const name = toName(job);
      const { id, tenant } = name;
      const row = await findBatch(store.db, name);
      if (row?.status !== 'validating') return jobDone;
      const { errors, lines, parts } = await check(name, row);
      await job.commit(async (writing) => {
        const now = await findBatch(writing, name);
        if (now?.status !== 'validating') return;
        if (errors.length > 0) {
          const change = { status: 'failed', failed_at: clock.wall(), errors: JSON.stringify(errors) } as const;
          await changeBatch(writing, id, change);
          await runEndJobNow(jobs, writing, id);
          return;
        }
        const lanes = Math.min(maxLanes, parts.length);
        await insertParts(store, writing, { id, parts });
        await changeBatch(writing, id, {
          ...{ status: 'in_progress', in_progress_at: clock.wall() },
          ...{ total: lines, parts: parts.length, lanes_left: lanes },
        });
        for (let lane = 0; lane < lanes; lane += 1)
          await jobs.add(writing, {
            ...{ kind: kinds.lane, id: `${id}/${lane}`, tenant },
            payload: { batch: id, part: lane, step: lanes },
          });
      }, jobDone);
      jobs.wake();
      return jobDone;
    },
  };
};

/** Yields the lines of the output file: the successful results, in the order of the parts. */
async function* outputLines({ store, blobs }: BatchJobParts, row: BatchRow): AsyncGenerator<Buffer, void> {
  for await (const part of toParts(store.db, row.id)) {
    const result = findResult(part);
    if (result !== undefined && result.errorsFrom > 0)
      yield* blobs.read(result.blob, { from: 0, to: result.errorsFrom });
  }
}

/** Yields a line for each line of a part that was never sent. */
async function* linesNotRun(parts: BatchJobParts, row: BatchRow, part: BatchPartRow): AsyncGenerator<Buffer, void> {
  const why = notRun[row.ending ?? 'cancelled'];
  for await (const { line, request } of readPart(parts, row, part))
    if (!('error' in request))
      yield Buffer.from(
        resultWithoutResponse({ id: requestId(row, line.number), customId: request.customId }, why).text,
      );
}

/** Yields the lines of the error file: the failed results, and the lines that did not run. */
async function* errorLines(parts: BatchJobParts, row: BatchRow): AsyncGenerator<Buffer, void> {
  for await (const part of toParts(parts.store.db, row.id)) {
    const result = findResult(part);
    try {
      if (result === undefined) yield* linesNotRun(parts, row, part);
      else if (result.errorsFrom < result.blob.bytes)
        yield* parts.blobs.read(result.blob, { from: result.errorsFrom, to: result.blob.bytes });
    } catch (error) {
      // If the input file is gone, the names of its lines are unknown.
      if (result !== undefined || !isLost(error)) throw error;
    }
  }
}

/** The interval at which the job checks whether requests under way have ended, in milliseconds. */
const pauseMs = 1000;

/** Returns the final status of a batch, and the time that goes with it. */
const lastStatus = ({ status, ending }: BatchRow, now: number): Partial<BatchRow> => {
  if (status === 'cancelling' || ending === 'cancelled') return { status: 'cancelled', cancelled_at: now };
  if (ending === 'expired') return { status: 'expired', expired_at: now };
  if (ending === 'failed') return { status: 'failed', failed_at: now };
  return { status: 'completed', completed_at: now };
};

/** The job that ends a batch: when its lines have run, when it is cancelled, and when it expires. */
const endJob = (parts: BatchJobParts): JobKind => {
  const { store, files, blobs, clock } = parts;

  /** Writes one of the batch's files, unless it is already written. */
  const writeFile = async (
    job: RunningJob,
    row: BatchRow,
    column: 'output_file_id' | 'error_file_id',
  ): Promise<'committed' | 'fenced'> => {
    if (row[column] !== null) return 'committed';
    const { id, tenant } = toName(job);
    const [readAll, suffix] = column === 'output_file_id' ? [outputLines, 'output'] : [errorLines, 'errors'];
    const about = { purpose: 'batch_output', filename: `${id}-${suffix}.jsonl` };
    const kept = row.keep_ms === null ? about : { ...about, keepMs: row.keep_ms };
    const file = await files.keep(tenant, kept, readAll(parts, row));
    const committed = await job.commit((writing) => changeBatch(writing, id, { [column]: file.id }));
    if (committed === 'fenced') await files.remove(tenant, file.id);
    return committed;
  };

  const conclude = async (job: RunningJob): Promise<void> => {
    const name = toName(job);
    const results: BlobRef[] = [];
    for await (const part of toParts(store.db, name.id)) {
      const result = findResult(part);
      if (result !== undefined) results.push(result.blob);
    }
    await job.commit(async (writing) => {
      const row = await findBatch(writing, name);
      if (row === undefined) return;
      for (const blob of results) await blobs.drop(writing, blob);
      await deleteParts(writing, name.id);
      await changeBatch(writing, name.id, { ...lastStatus(row, clock.wall()), failed: row.total - row.completed });
    }, jobDone);
  };

  /** Marks the batch as expired if its time is over. */
  const expire = async (job: RunningJob, { id, expires_at }: BatchRow): Promise<JobOutcome> => {
    const now = clock.wall();
    if (now < expires_at) return { kind: 'again', runAt: expires_at };
    await job.commit(async (writing) => {
      const row = await findBatch(writing, toName(job));
      if (row?.status === 'in_progress' || row?.status === 'validating')
        await changeBatch(writing, id, { status: 'finalizing', ending: 'expired', finalizing_at: now });
    });
    return { kind: 'again', runAt: now };
  };

  return {
    name: kinds.end,
    concurrency: 8,
    // Each batch has one of these jobs until it has ended.
    queue: { maxQueued: maxQueuedClaims, what: 'batches that have not ended' },
    async run(job) {
      const row = await findBatch(store.db, toName(job));
      if (row === undefined || isOver(row)) return jobDone;
      if (row.status === 'validating' || row.status === 'in_progress') return expire(job, row);
      if (row.lanes_left > 0) return { kind: 'again', runAt: clock.wall() + pauseMs };
      if (row.completed > 0 && (await writeFile(job, row, 'output_file_id')) === 'fenced') return jobDone;
      if (row.total > row.completed && (await writeFile(job, row, 'error_file_id')) === 'fenced') return jobDone;
      await conclude(job);
      return jobDone;
    },
  };
};

/** Makes a process run batches, and protects the files that they read from deletion. */
export const runBatches = (parts: BatchJobParts): void => {
  for (const kind of [checkJob(parts), laneJob(parts), endJob(parts)]) parts.jobs.register(kind);
  parts.files.registerUses((tenant, id, db) => listReaders(db, tenant, id));
};
