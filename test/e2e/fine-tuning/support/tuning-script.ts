import type OpenAI from 'openai';
import { expect } from 'vitest';
import type { TuningVendor } from '../../../support/vendors/tuning/tuning-vendor.ts';

export interface TuningScript {
  readonly client: OpenAI;
  readonly vendor: TuningVendor;
  readonly model: string;
  readonly trainingFile: string;
  /** Members that only this provider accepts. */
  readonly more?: object;
}

type Job = OpenAI.FineTuning.FineTuningJob;

/** The members by which clients of all providers can distinguish jobs, in the order of a job's life. */
export interface JobSummary {
  readonly state: string;
  readonly isWhole: boolean;
  readonly hasModel: boolean;
  readonly isFinished: boolean;
  readonly error: string | null | undefined;
  readonly training: boolean;
  readonly epochs: unknown;
}

/** The members that the specification requires. */
const required = [
  ...['id', 'created_at', 'error', 'fine_tuned_model', 'finished_at', 'hyperparameters', 'model', 'object'],
  ...['organization_id', 'result_files', 'status', 'trained_tokens', 'training_file', 'validation_file', 'seed'],
];

const seconds = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 1e9 && Number(value) < 1e10;

const summarise = (job: Job, trainingFile: string): JobSummary => ({
  state: job.status,
  isWhole: required.every((name) => Object.hasOwn(job, name)) && seconds(job.created_at),
  hasModel: job.fine_tuned_model !== null,
  isFinished: job.finished_at !== null && seconds(job.finished_at),
  error: job.error?.message,
  training: job.training_file === trainingFile,
  epochs: job.hyperparameters.n_epochs,
});

/** The client's view of all jobs. */
export interface TuningSummary {
  readonly made: JobSummary;
  readonly ended: JobSummary;
  readonly failed: JobSummary;
  readonly cancelled: JobSummary;
  /** The ids and whether there are more, by page. */
  readonly listed: readonly (readonly [readonly string[], boolean])[];
  readonly ids: readonly string[];
  readonly checkpoints: number;
  readonly hasEvents: boolean;
}

/** Runs the same steps at every provider: two jobs that end, one that fails and one that is cancelled. */
export const runTuning = async ({
  client,
  vendor,
  model,
  trainingFile,
  more = {},
}: TuningScript): Promise<TuningSummary> => {
  const { jobs } = client.fineTuning;
  const make = async (suffix: string): Promise<Job> =>
    jobs.create({
      ...{ model, training_file: trainingFile, suffix, ...more },
      method: { type: 'supervised', supervised: { hyperparameters: { n_epochs: 3 } } },
    });
  const made = await make('first');
  vendor.finish();
  const ended = await jobs.retrieve(made.id);
  const failing = await make('second');
  vendor.finish('The file has no lines.');
  const failed = await jobs.retrieve(failing.id);
  const third = await make('third');
  const cancelled = await jobs.cancel(third.id);
  const page = await jobs.list({ limit: 2 });
  const rest = await jobs.list({ limit: 2, after: page.data.at(-1)?.id ?? '' });
  const checkpoints = await jobs.checkpoints.list(third.id);
  const events = await jobs.listEvents(made.id);
  const show = (job: Job): JobSummary => summarise(job, trainingFile);
  return {
    made: {
      ...show(made),
      state: ['validating_files', 'queued', 'running'].includes(made.status) ? 'open' : made.status,
    },
    ended: show(ended),
    failed: show(failed),
    cancelled: show(cancelled),
    listed: [page, rest].map(({ data, has_more }) => [data.map(({ id }) => id), has_more] as const),
    ids: [made.id, failing.id, third.id],
    checkpoints: checkpoints.data.length,
    hasEvents: Array.isArray(events.data),
  };
};

const expectedJob = { isWhole: true, hasModel: false, isFinished: false, error: undefined, training: true, epochs: 3 };

/** The results that are expected at every provider. */
export const expectedTuning = ([first = '', second = '', third = '']: readonly string[]): TuningSummary => ({
  made: { ...expectedJob, state: 'open' },
  ended: { ...expectedJob, state: 'succeeded', hasModel: true, isFinished: true },
  failed: { ...expectedJob, state: 'failed', isFinished: true, error: 'The file has no lines.' },
  cancelled: { ...expectedJob, state: 'cancelled', isFinished: expect.any(Boolean) },
  listed: [
    [[third, second], true],
    [[first], false],
  ],
  ids: [first, second, third],
  checkpoints: 0,
  hasEvents: true,
});
