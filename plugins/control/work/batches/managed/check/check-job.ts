import { createHash } from 'node:crypto';
import { GatewayError } from '../../../../../../schema/errors/errors.ts';
import { type JobKind, jobDone } from '../../../../kernel/jobs/job-queue.ts';
import type { Writing } from '../../../../kernel/store/store.ts';
import type { BatchRow } from '../../../../kernel/store/tables/tables.ts';
import { BlobError } from '../../../blobs/blob-storage.ts';
import { maxErrors, maxLanes, maxLineBytes, maxLines, partLimits } from '../../lines/limits.ts';
import { type ReadLine, readLines } from '../../lines/read-lines.ts';
import { type LineError, validateLine } from '../../lines/validate-line.ts';
import { changeBatch, findBatch, insertParts, type NewPart } from '../records/batch-store.ts';
import { type BatchJobParts, type BatchName, hurryEnd, kinds, toName } from '../records/job-names.ts';

/** What an input file has: lines in parts, or what is wrong with it. */
type CheckedFile =
  | { readonly kind: 'lines'; readonly lines: number; readonly parts: readonly NewPart[] }
  | { readonly kind: 'errors'; readonly errors: readonly LineError[] };

/** Puts lines into parts, one after another. */
const createParts = () => {
  const parts: NewPart[] = [];
  return {
    parts,
    add({ number, from, to }: ReadLine): void {
      const last = parts.at(-1);
      const fits = last !== undefined && last.lines < partLimits.lines && to - last.from_byte <= partLimits.bytes;
      if (fits) parts[parts.length - 1] = { ...last, to_byte: to, lines: last.lines + 1 };
      else parts.push({ number: parts.length, from_byte: from, to_byte: to, first_line: number, lines: 1 });
    },
  };
};

const ofFile = (code: string, message: string): LineError => ({ code, message, param: null, line: null });

/** Validates each line of an input file; neither the file nor its texts are in memory. */
const checkFile = async (bytes: AsyncIterable<Uint8Array>, endpoint: string): Promise<CheckedFile> => {
  const errors: LineError[] = [];
  const ids = new Set<string>();
  const { parts, add } = createParts();
  let lines = 0;

  const validate = (line: ReadLine): void => {
    const validated = validateLine(line.bytes, endpoint);
    if ('fault' in validated) {
      errors.push({ ...validated.fault, line: line.number });
      return;
    }
    const digest = createHash('sha256').update(JSON.stringify(validated.customId)).digest('base64').slice(0, 24);
    if (ids.has(digest))
      errors.push({
        ...{ code: 'duplicate_custom_id', message: 'Another line before has the same custom_id.' },
        ...{ param: 'custom_id', line: line.number },
      });
    ids.add(digest);
    add(line);
  };

  for await (const line of readLines(bytes, { most: maxLineBytes })) {
    lines += 1;
    if (lines > maxLines) {
      errors.push(ofFile('too_many_lines', `The file has more than ${maxLines} lines.`));
      break;
    }
    validate(line);
    if (errors.length >= maxErrors) break;
  }
  if (lines === 0) errors.push(ofFile('empty_file', 'The file has no lines.'));
  return errors.length > 0 ? { kind: 'errors', errors } : { kind: 'lines', lines, parts };
};

/** Whether bytes are gone or broken for good: all else may be over when it is tried again. */
export const isLost = (error: unknown): boolean =>
  error instanceof BlobError
    ? error.fault === 'damaged'
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
      if (isLost(error)) return { kind: 'errors', errors: [unreadable] };
      throw error;
    }
  };

  const begin = async (
    writing: Writing,
    { id, tenant }: BatchName,
    { lines, parts }: CheckedFile & { kind: 'lines' },
  ): Promise<void> => {
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
  };

  return {
    name: kinds.check,
    concurrency: 8,
    async run(job) {
      const name = toName(job);
      const row = await findBatch(store.db, name);
      if (row?.status !== 'validating') return jobDone;
      const checked = await check(name, row);
      await job.commit(async (writing) => {
        const now = await findBatch(writing, name);
        if (now?.status !== 'validating') return;
        if (checked.kind === 'lines') await begin(writing, name, checked);
        else {
          const errors = JSON.stringify(checked.errors);
          await changeBatch(writing, name.id, { status: 'failed', failed_at: clock.wall(), errors });
          await hurryEnd(jobs, writing, name.id);
        }
      }, jobDone);
      jobs.wake();
      return jobDone;
    },
  };
};
