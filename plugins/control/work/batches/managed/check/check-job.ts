import { createHash } from 'node:crypto';
import { GatewayError } from '../../../../../../schema/errors/errors.ts';
import { type JobKind, jobDone } from '../../../../kernel/jobs/job-queue.ts';
import type { BatchRow } from '../../../../kernel/store/tables/tables.ts';
import { BlobError } from '../../../blobs/blob-storage.ts';
import type { ReadLine } from '../../lines/read-lines.ts';
import { type LineError, maxLines, requestLines } from '../../lines/validate-line.ts';
import { changeBatch, findBatch, insertParts, type NewPart } from '../records/batch-store.ts';
import { type BatchJobParts, type BatchName, hurryEnd, kinds, toName } from '../records/job-names.ts';

/** The most errors that a batch reports. */
const maxErrors = 100;

/** Lines, and bytes, that a part of a batch has at most; one line alone may have more bytes. */
const partLimits = { lines: 20, bytes: 1_048_576 } as const;

/** Jobs that run the parts of one batch beside each other. */
const maxLanes = 16;

/** An input file: what is wrong with it, or else its lines in parts. */
interface CheckedFile {
  readonly errors: readonly LineError[];
  readonly lines: number;
  readonly parts: readonly NewPart[];
}

/** Puts a line into the last part, or into a new one. */
const addLine = (parts: NewPart[], { number, from, to }: ReadLine): void => {
  const last = parts.at(-1);
  if (last !== undefined && last.lines < partLimits.lines && to - last.from_byte <= partLimits.bytes)
    parts[parts.length - 1] = { ...last, to_byte: to, lines: last.lines + 1 };
  else parts.push({ number: parts.length, from_byte: from, to_byte: to, first_line: number, lines: 1 });
};

const ofFile = (code: string, message: string): LineError => ({ code, message, param: null, line: null });

/** Validates each line of an input file; neither the file nor its texts are in memory. */
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
          ...{ code: 'duplicate_custom_id', message: 'Another line before has the same custom_id.' },
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

/** Finds out whether bytes are gone or broken for good: all else may be over when it is tried again. */
export const isLost = (error: unknown): boolean =>
  error instanceof BlobError
    ? error.error === 'damaged'
    : error instanceof GatewayError && error.report.code === 'not-found';

export const unreadable: LineError = {
  code: 'unreadable_file',
  message: 'The input file is not there any more, or its bytes are damaged.',
  param: 'input_file_id',
  line: null,
};

/** The job that validates the input file of a batch, and has its lines run. */
export const checkJob = ({ store, files, jobs, clock }: BatchJobParts): JobKind => {
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
          await hurryEnd(jobs, writing, id);
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
