import { randomInt } from 'node:crypto';
import type { UpstreamCall } from '../../servers/upstream-server.ts';
import { oneOf } from '../one-of.ts';
import { startVendorRoutes } from '../vendor-routes.ts';
import type { TuningVendor } from './tuning-vendor.ts';

interface Job {
  readonly id: string;
  status: string;
  readonly [member: string]: unknown;
}

const notFound = (call: UpstreamCall): void =>
  call.json(
    { error: { message: 'Could not find it.', type: 'invalid_request_error', param: null, code: 'not_found' } },
    { status: 404 },
  );

const isOpen = ({ status }: Job): boolean => ['validating_files', 'queued', 'running'].includes(status);

export interface OpenaiTuningOptions {
  /** The start of its paths. */
  readonly base?: string;
  /** Its word for a cancelled job. */
  readonly cancelled?: string;
  /** Its word for a job that waits. */
  readonly waiting?: string;
}

/**
 * Simulates fine-tuning as OpenAI documents it, including the nulls in real answers.
 * https://platform.openai.com/docs/api-reference/fine-tuning
 */
export const startOpenaiTuning = async ({
  base = '/v1',
  cancelled = 'cancelled',
  waiting = 'validating_files',
}: OpenaiTuningOptions = {}): Promise<
  TuningVendor & { readonly files: Map<string, string>; readonly jobs: Map<string, unknown> }
> => {
  const account = randomInt(1e9);
  const jobs = new Map<string, Job>();
  const files = new Map<string, string>();
  const open = { object: 'fine_tuning.job', fine_tuned_model: null, finished_at: null, trained_tokens: null };
  const own = `${base}/fine_tuning/jobs`;
  const one = oneOf(jobs, notFound);
  const upstream = await startVendorRoutes(
    [
      [
        'POST',
        new RegExp(`^${base}/files$`),
        (call) => {
          const id = `file-${files.size + 1}`;
          files.set(id, call.request.text());
          call.json({ id, object: 'file', bytes: 1, created_at: 1_790_000_000, filename: 'f', purpose: 'fine-tune' });
        },
      ],
      [
        'POST',
        new RegExp(`^${own}$`),
        (call) => {
          const { model, training_file, validation_file = null, suffix, method, seed = 7 } = call.request.json();
          const job = {
            ...{ ...open, id: `ftjob-${account}-${jobs.size + 1}`, created_at: 1_790_000_000 + jobs.size, model },
            ...{ training_file, validation_file, user_provided_suffix: suffix, method, seed, status: waiting },
            ...{ organization_id: 'org-1', result_files: [], error: null, integrations: null, estimated_finish: null },
            hyperparameters: method?.[method.type]?.hyperparameters ?? { n_epochs: 'auto' },
          };
          jobs.set(job.id, job);
          call.json(job);
        },
      ],
      [
        'GET',
        new RegExp(`^${own}$`),
        (call) => call.json({ object: 'list', data: [...jobs.values()].reverse().slice(0, 100), has_more: false }),
      ],
      ['GET', new RegExp(`^${own}/([^/]+)$`), one((job, call) => call.json(job))],
      [
        'POST',
        new RegExp(`^${own}/([^/]+)/cancel$`),
        one((job, call) => {
          if (isOpen(job) || job.status === waiting) job.status = cancelled;
          call.json(job);
        }),
      ],
      ...(['pause', 'resume'] as const).map(
        (move) =>
          [
            'POST',
            new RegExp(`^${own}/([^/]+)/${move}$`),
            one((job, call) => {
              job.status = move === 'pause' ? 'paused' : 'running';
              call.json(job);
            }),
          ] as const,
      ),
      [
        'GET',
        new RegExp(`^${own}/([^/]+)/checkpoints$`),
        one((job, call) => {
          const checkpoint = {
            ...{ object: 'fine_tuning.job.checkpoint', id: 'ftckpt-1', created_at: 1_790_000_500 },
            ...{ fine_tuned_model_checkpoint: 'ft:m:ckpt-1', fine_tuning_job_id: job.id, step_number: 100 },
            metrics: { step: 100, train_loss: 0.5, full_valid_loss: null },
          };
          call.json({
            ...{ object: 'list', data: job.status === 'succeeded' ? [checkpoint] : [], has_more: false },
            ...{ first_id: null, last_id: null },
          });
        }),
      ],
      [
        'GET',
        new RegExp(`^${own}/([^/]+)/events$`),
        one((_, call) => {
          const event = { object: 'fine_tuning.job.event', id: 'ftevent-1', created_at: 1_790_000_001 };
          call.json({
            object: 'list',
            data: [{ ...event, level: 'info', message: 'Created.', type: 'message', data: null }],
            has_more: false,
          });
        }),
      ],
    ],
    notFound,
  );
  return {
    upstream,
    files,
    jobs,
    finish: (message) => {
      for (const job of jobs.values()) {
        if (!isOpen(job) && job.status !== waiting) continue;
        Object.assign(
          job,
          message === undefined
            ? { status: 'succeeded', fine_tuned_model: 'ft:m', finished_at: 1_790_000_600, trained_tokens: 5000 }
            : { status: 'failed', finished_at: 1_790_000_600, error: { code: 'bad_file', message, param: null } },
        );
      }
    },
  };
};
