import { GatewayError } from '../../../../../../schema/errors/errors.ts';
import { type JobKind, jobDone } from '../../../../kernel/jobs/job-queue.ts';
import type { Writing } from '../../../../kernel/store/store.ts';
import type { BatchRow } from '../../../../kernel/store/tables/tables.ts';
import { BlobError } from '../../../blobs/blob-error.ts';
import { maxLanes } from '../../lines/limits.ts';
import type { LineError } from '../../lines/validate-line.ts';
import type { BatchJobParts } from '../records/batch-job-parts.ts';
import { changeBatch, findBatch, insertParts } from '../records/batch-store.ts';
import { type BatchName, hurryEnd, kinds, toName } from '../records/job-names.ts';
import { type CheckedFile, checkFile } from './check-file.ts';

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
