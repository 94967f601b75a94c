import type { UpstreamCall } from '../../servers/upstream-server.ts';
import { oneOf } from '../one-of.ts';
import { fireworksDatasets } from '../storage/fireworks-datasets.ts';
import { startVendorRoutes } from '../vendor-routes.ts';
import type { TuningVendor } from './tuning-vendor.ts';

interface Job {
  state: string;
  readonly [member: string]: unknown;
}

const missing = (call: UpstreamCall): void =>
  call.json({ code: 5, message: 'Not found.', details: [] }, { status: 404 });

/**
 * Simulates fine-tuning as Fireworks documents it, supervised and by preferences.
 * https://docs.fireworks.ai/api-reference/create-supervised-fine-tuning-job
 */
export const startFireworksTuning = async (): Promise<
  TuningVendor & Pick<ReturnType<typeof fireworksDatasets>, 'datasets' | 'findFile'>
> => {
  const jobs = new Map<string, Job>();
  const account = 'accounts/ours';
  const own = `/v1/${account}/supervisedFineTuningJobs`;
  const one = oneOf(jobs, missing);
  const dpo = `/v1/${account}/dpoJobs`;
  const dpoJobs = new Map<string, Job>();
  const stored = fireworksDatasets(account);
  const upstream = await startVendorRoutes(
    [
      ...stored.routes,
      [
        'POST',
        new RegExp(`^${own}$`),
        (call) => {
          const id = `job${jobs.size}`;
          const { dataset, evaluationDataset, baseModel, outputModel, epochs } = call.request.json();
          const job = {
            ...{ name: `${account}/supervisedFineTuningJobs/${id}`, dataset, baseModel, outputModel, epochs },
            ...(evaluationDataset === undefined ? {} : { evaluationDataset }),
            ...{ state: 'JOB_STATE_CREATING', status: { code: 'OK', message: '' }, createTime: '2026-09-21T13:33:20Z' },
          };
          jobs.set(id, job);
          call.json(job);
        },
      ],
      [
        'GET',
        new RegExp(`^${own}$`),
        (call) => call.json({ supervisedFineTuningJobs: [...jobs.values()].slice(0, 1) }),
      ],
      ['GET', new RegExp(`^${own}/([^/]+)$`), one((job, call) => call.json(job))],
      [
        'POST',
        new RegExp(`^${dpo}$`),
        (call) => {
          const id = `job${dpoJobs.size}`;
          const { dataset, trainingConfig, lossConfig } = call.request.json();
          const job = {
            ...{ name: `${account}/dpoJobs/${id}`, dataset, trainingConfig, lossConfig },
            ...{ state: 'JOB_STATE_CREATING', status: { code: 'OK', message: '' }, createTime: '2026-09-21T13:33:20Z' },
          };
          dpoJobs.set(id, job);
          call.json(job);
        },
      ],
      ['GET', new RegExp(`^${dpo}$`), (call) => call.json({ dpoJobs: [...dpoJobs.values()] })],
      [
        'GET',
        new RegExp(`^${dpo}/([^/]+)$`),
        (call, [id = '']) => {
          const job = dpoJobs.get(id);
          if (job === undefined) missing(call);
          else call.json(job);
        },
      ],
      [
        'DELETE',
        new RegExp(`^${own}/([^/]+)$`),
        one((job, call) => {
          job.state = 'JOB_STATE_DELETING';
          call.json({});
        }),
      ],
    ],
    missing,
  );
  return {
    upstream,
    datasets: stored.datasets,
    findFile: stored.findFile,
    finish: (message) => {
      for (const job of jobs.values()) {
        if (job.state !== 'JOB_STATE_CREATING') continue;
        Object.assign(
          job,
          { completedTime: '2026-09-21T14:33:20Z' },
          message === undefined
            ? { state: 'JOB_STATE_COMPLETED' }
            : { state: 'JOB_STATE_FAILED', status: { code: 'INVALID_ARGUMENT', message } },
        );
      }
    },
  };
};
