import type { JsonObject } from '../../../../schema/json/json.ts';
import type { UpstreamCall } from '../../servers/upstream-server.ts';
import { oneOf } from '../one-of.ts';
import { openaiAnswer } from '../openai-wire.ts';
import { startVendorRoutes } from '../vendor-routes.ts';
import { type BatchVendor, toAsked } from './batch-vendor.ts';
import { lineFiles } from './line-files.ts';
import { readFile } from './read-file.ts';

interface Job {
  status: string;
  readonly input_files: readonly string[];
  readonly [member: string]: unknown;
}

const missing = (call: UpstreamCall): void => call.json({ detail: 'Not found.' }, { status: 404 });

const answerDone: AnswerTo = (_, model) => openaiAnswer({ text: 'Done.', model });

/** Returns the vendor's answer to the body of a line. */
type AnswerTo = (body: JsonObject, model: string) => object;

/** Batch jobs: https://docs.mistral.ai/api/#tag/batch */
export const startMistralBatches = async (answerTo: AnswerTo = answerDone): Promise<BatchVendor> => {
  const jobs = new Map<string, Job>();
  const files = lineFiles((count) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`);
  const own = '/v1/batch/jobs';
  const one = oneOf(jobs, missing);
  const upstream = await startVendorRoutes(
    [
      [
        'POST',
        /^\/v1\/files$/,
        async (call) => {
          const { text, purpose } = await readFile(call.request);
          if (purpose === 'batch') call.json({ id: files.keep(text), object: 'file', purpose });
          else missing(call);
        },
      ],
      [
        'GET',
        /^\/v1\/files\/([^/]+)\/content$/,
        (call, [id = '']) => call.answer({ headers: { 'content-type': 'application/jsonl' }, body: files.text(id) }),
      ],
      [
        'POST',
        new RegExp(`^${own}$`),
        (call) => {
          const { input_files, endpoint, model, metadata = null } = call.request.json();
          const id = `job-${jobs.size + 1}`;
          const total = files.lines(input_files[0]).length;
          const job = {
            ...{ id, object: 'batch', input_files, endpoint, model, metadata, status: 'QUEUED', errors: [] },
            ...{ output_file: null, error_file: null, created_at: 1_790_000_000, started_at: null, completed_at: null },
            ...{ total_requests: total, completed_requests: 0, succeeded_requests: 0, failed_requests: 0 },
          };
          jobs.set(id, job);
          call.json(job);
        },
      ],
      ['GET', new RegExp(`^${own}/([^/]+)$`), one((job, call) => call.json(job))],
      [
        'POST',
        new RegExp(`^${own}/([^/]+)/cancel$`),
        one((job, call) => {
          job.status = 'CANCELLATION_REQUESTED';
          call.json(job);
        }),
      ],
    ],
    missing,
  );
  const finishJob = (job: Job): void => {
    const results = files.lines(job.input_files[0] ?? '').map(({ custom_id, body }) => {
      const failed = (body.prompt ?? toAsked(body)).includes('fail');
      const answer = failed
        ? { status_code: 400, body: { message: 'It cannot be done.', type: 'invalid_request' } }
        : { status_code: 200, body: answerTo(body, String(job.model)) };
      return { failed, line: { id: 'r', custom_id, response: answer, error: null } };
    });
    const { output, error } = files.results(results);
    const failures = results.filter(({ failed }) => failed).length;
    Object.assign(job, {
      ...{ status: 'SUCCESS', completed_at: 1_790_000_600, completed_requests: results.length },
      ...{ succeeded_requests: results.length - failures, failed_requests: failures },
      ...{ output_file: output, error_file: error },
    });
  };
  return {
    upstream,
    finish: () => {
      for (const job of jobs.values()) {
        if (job.status === 'QUEUED') finishJob(job);
        if (job.status === 'CANCELLATION_REQUESTED')
          Object.assign(job, { status: 'CANCELLED', completed_at: 1_790_000_600 });
      }
    },
  };
};
