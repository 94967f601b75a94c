import { randomInt } from 'node:crypto';
import type { UpstreamCall } from '../../servers/upstream-server.ts';
import { anthropicAnswer } from '../anthropic-wire.ts';
import { bucketObjects } from '../storage/bucket-objects.ts';
import { startVendorRoutes } from '../vendor-routes.ts';
import type { StoringVendor } from './batch-vendor.ts';

interface Job {
  readonly name: string;
  state: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it sent
  readonly [member: string]: any;
}

const missing = (call: UpstreamCall): void =>
  call.json({ error: { code: 404, message: 'Not found.', status: 'NOT_FOUND' } }, { status: 404 });

const time = '2026-09-21T13:33:20.000123Z';

const geminiAnswer = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Done.' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 21, candidatesTokenCount: 9, totalTokenCount: 30 },
  modelVersion: 'gemini-2.5-flash',
};

const failure = { error: { code: 400, message: 'It cannot be done.', status: 'INVALID_ARGUMENT' } };

/** Creates a line of results. For Gemini, it repeats only the request of the line. */
const toResult = ({ custom_id, request }: Job, isClaude: boolean): object => {
  const isRight = isClaude
    ? request.anthropic_version !== undefined && request.model === undefined && request.max_tokens === 50
    : request.contents?.[0]?.parts !== undefined && request.generationConfig?.maxOutputTokens === 50;
  const failed = !isRight || JSON.stringify(request).includes('fail');
  const answer = isClaude ? anthropicAnswer({ text: 'Done.', model: 'claude-sonnet-4-5' }) : geminiAnswer;
  return {
    ...(isClaude ? { custom_id } : {}),
    request,
    ...(failed
      ? { status: `Bad Request: ${JSON.stringify(failure)}`, response: {} }
      : { status: '', response: answer }),
    processed_time: time,
  };
};

/**
 * Simulates batch prediction jobs, and the bucket `jobs-bucket` that they use, with a token.
 * https://cloud.google.com/vertex-ai/docs/reference/rest/v1/projects.locations.batchPredictionJobs
 */
export const startVertexBatches = async ({
  counts = true,
}: {
  /** Whether jobs report how many requests they have answered. */
  readonly counts?: boolean;
} = {}): Promise<StoringVendor> => {
  const jobs = new Map<string, Job>();
  const bucket = 'gs://jobs-bucket/';
  const stored = bucketObjects('jobs-bucket', ({ request }) => request.header('authorization') === 'Bearer sk-1');
  const { objects, routes } = stored;
  const place = 'projects/our-project/locations/europe-west4';
  const own = `/v1/${place}/batchPredictionJobs`;
  const one =
    (run: (job: Job, call: UpstreamCall) => void) =>
    (call: UpstreamCall, [id = '']: readonly string[]): void => {
      const job = jobs.get(id);
      if (job === undefined) missing(call);
      else run(job, call);
    };
  const upstream = await startVendorRoutes(
    [
      [
        'POST',
        new RegExp(`^${own}$`),
        (call) => {
          const { displayName, model, inputConfig, outputConfig } = call.request.json();
          const [input = ''] = inputConfig.gcsSource.uris;
          if (!objects.has(input.slice(bucket.length)) || !/^publishers\/(?:google|anthropic)\/models\//.test(model))
            return call.json({ error: { code: 400, message: 'Wrong.', status: 'INVALID_ARGUMENT' } }, { status: 400 });
          const id = String(randomInt(1e14));
          const job = {
            ...{ name: `${place}/batchPredictionJobs/${id}`, displayName, model, inputConfig, outputConfig },
            ...{ state: 'JOB_STATE_PENDING', createTime: time, updateTime: time },
          };
          jobs.set(id, job);
          call.json(job);
        },
      ],
      ['GET', new RegExp(`^${own}/([^/:]+)$`), one((job, call) => call.json(job))],
      [
        'POST',
        new RegExp(`^${own}/([^/:]+):cancel$`),
        one((job, call) => {
          job.state = 'JOB_STATE_CANCELLING';
          call.json({});
        }),
      ],
      ...routes,
    ],
    missing,
  );
  const finishJob = (job: Job): void => {
    const input: string = job.inputConfig.gcsSource.uris[0].slice(bucket.length);
    const folder = `${job.outputConfig.gcsDestination.outputUriPrefix}prediction-model-${time}`;
    const results = (objects.get(input) ?? '')
      .trim()
      .split('\n')
      .map((line) => toResult(JSON.parse(line), job.model.includes('anthropic')));
    for (const [at, line] of results.entries())
      objects.set(
        `${folder.slice(bucket.length)}/predictions_${results.length - at}.jsonl`,
        `${JSON.stringify(line)}\n`,
      );
    const failures = results.filter((line) => !('status' in line) || line.status !== '').length;
    Object.assign(job, {
      ...{ state: 'JOB_STATE_SUCCEEDED', startTime: time, endTime: '2026-09-21T14:33:20Z' },
      outputInfo: { gcsOutputDirectory: folder },
      ...(counts
        ? { completionStats: { successfulCount: String(results.length - failures), failedCount: String(failures) } }
        : {}),
    });
  };
  return {
    upstream,
    bucket: stored,
    finish: () => {
      for (const job of jobs.values()) {
        if (job.state === 'JOB_STATE_PENDING') finishJob(job);
        if (job.state === 'JOB_STATE_CANCELLING')
          Object.assign(job, { state: 'JOB_STATE_CANCELLED', endTime: '2026-09-21T14:33:20Z' });
      }
    },
  };
};
