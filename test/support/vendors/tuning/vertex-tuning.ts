import type { UpstreamCall } from '../../servers/upstream-server.ts';
import { oneOf } from '../one-of.ts';
import { bucketObjects } from '../storage/bucket-objects.ts';
import { startVendorRoutes } from '../vendor-routes.ts';
import type { TuningVendor } from './tuning-vendor.ts';

interface Job {
  readonly name: string;
  state: string;
  readonly [member: string]: unknown;
}

const missing = (call: UpstreamCall): void =>
  call.json({ error: { code: 404, message: 'Not found.', status: 'NOT_FOUND' } }, { status: 404 });

/**
 * Simulates tuning jobs as Google documents them.
 * https://cloud.google.com/vertex-ai/docs/reference/rest/v1/projects.locations.tuningJobs
 */
export const startVertexTuning = async (): Promise<TuningVendor> => {
  const jobs = new Map<string, Job>();
  const place = 'projects/our-project/locations/europe-west4';
  const own = `/v1/${place}/tuningJobs`;
  const one = oneOf(jobs, missing);
  const upstream = await startVendorRoutes(
    [
      [
        'POST',
        new RegExp(`^${own}$`),
        (call) => {
          const { baseModel, tunedModelDisplayName, supervisedTuningSpec, preferenceOptimizationSpec } =
            call.request.json();
          const id = String(100 + jobs.size);
          const job = {
            ...{ name: `${place}/tuningJobs/${id}`, baseModel, tunedModelDisplayName, supervisedTuningSpec },
            ...(preferenceOptimizationSpec === undefined ? {} : { preferenceOptimizationSpec }),
            ...{ state: 'JOB_STATE_PENDING', createTime: `2026-09-21T13:33:${20 + jobs.size}.000123Z` },
          };
          jobs.set(id, job);
          call.json(job);
        },
      ],
      ['GET', new RegExp(`^${own}$`), (call) => call.json({ tuningJobs: [...jobs.values()].reverse() })],
      ['GET', new RegExp(`^${own}/([^/:]+)$`), one((job, call) => call.json(job))],
      [
        'POST',
        new RegExp(`^${own}/([^/:]+):cancel$`),
        one((job, call) => {
          job.state = 'JOB_STATE_CANCELLING';
          call.json({});
        }),
      ],
      ...bucketObjects('jobs-bucket', ({ request }) => request.header('authorization') === 'Bearer sk-1').routes,
    ],
    missing,
  );
  return {
    upstream,
    finish: (message) => {
      for (const job of jobs.values()) {
        if (job.state !== 'JOB_STATE_PENDING') continue;
        Object.assign(
          job,
          { endTime: '2026-09-21T14:33:20Z' },
          message === undefined
            ? {
                state: 'JOB_STATE_SUCCEEDED',
                tunedModel: { model: `${place}/models/1`, endpoint: `${place}/endpoints/1` },
              }
            : { state: 'JOB_STATE_FAILED', error: { code: 3, message } },
        );
      }
    },
  };
};
