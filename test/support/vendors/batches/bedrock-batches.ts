import { randomBytes } from 'node:crypto';
import type { UpstreamCall } from '../../servers/upstream-server.ts';
import { signatureError } from '../storage/aws-keys.ts';
import { bucketObjects } from '../storage/bucket-objects.ts';
import { startVendorRoutes } from '../vendor-routes.ts';
import { type StoringVendor, toAsked } from './batch-vendor.ts';

interface Job {
  status: string;
  readonly jobArn: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it sent
  readonly [member: string]: any;
}

const time = '2026-09-21T13:33:20.123Z';

const missing = (call: UpstreamCall): void => call.json({ message: 'The job was not found.' }, { status: 404 });

const converseAnswer = {
  output: { message: { role: 'assistant', content: [{ text: 'Done.' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 21, outputTokens: 9, totalTokens: 30 },
  metrics: { latencyMs: 1 },
};

/**
 * Whether a line is in the format of Converse:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
const isConverse = ({ modelInput: input }: Job): boolean =>
  Array.isArray(input?.messages?.[0]?.content) && input.model === undefined && input.inferenceConfig?.maxTokens === 50;

const toLines = (text: string | undefined): readonly Job[] =>
  (text ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/**
 * Simulates model invocation jobs, and the bucket `jobs-bucket` that they use.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_CreateModelInvocationJob.html
 */
export const startBedrockBatches = async ({
  counts = true,
}: {
  /** Whether jobs count their records, in addition to the summary in the bucket. */
  readonly counts?: boolean;
} = {}): Promise<StoringVendor> => {
  const jobs = new Map<string, Job>();
  const bucket = 's3://jobs-bucket/';
  const stored = bucketObjects('jobs-bucket', (call) => signatureError(call, 's3') === undefined);
  const { objects, routes } = stored;
  const own = '/model-invocation-job';
  const one =
    (run: (job: Job, call: UpstreamCall) => void) =>
    (call: UpstreamCall, [id = '']: readonly string[]): void => {
      const job = jobs.get(id);
      if (job === undefined || signatureError(call, 'bedrock') !== undefined) missing(call);
      else run(job, call);
    };
  const upstream = await startVendorRoutes(
    [
      [
        'POST',
        new RegExp(`^${own}$`),
        (call) => {
          const body = call.request.json();
          const { s3Uri } = body.inputDataConfig.s3InputDataConfig;
          const isRight =
            signatureError(call, 'bedrock') === undefined &&
            body.modelInvocationType === 'Converse' &&
            body.roleArn?.startsWith('arn:aws:iam::') &&
            objects.has(s3Uri.slice(bucket.length));
          if (!isRight) return call.json({ message: 'A validation error.' }, { status: 400 });
          const id = randomBytes(6).toString('hex');
          const jobArn = `arn:aws:bedrock:us-east-1:123456789012:model-invocation-job/${id}`;
          const { inputDataConfig, outputDataConfig, jobName, modelId, roleArn } = body;
          jobs.set(id, {
            ...{ jobArn, jobName, modelId, roleArn, inputDataConfig, outputDataConfig, status: 'Submitted' },
            ...{ submitTime: time, lastModifiedTime: time, timeoutDurationInHours: body.timeoutDurationInHours },
          });
          call.json({ jobArn });
        },
      ],
      ['GET', new RegExp(`^${own}/([^/]+)$`), one((job, call) => call.json(job))],
      [
        'POST',
        new RegExp(`^${own}/([^/]+)/stop$`),
        one((job, call) => {
          job.status = 'Stopping';
          call.json({});
        }),
      ],
      ...routes,
    ],
    missing,
  );
  const finishJob = (job: Job): void => {
    const input: string = job.inputDataConfig.s3InputDataConfig.s3Uri.slice(bucket.length);
    const folder = `${job.outputDataConfig.s3OutputDataConfig.s3Uri.slice(bucket.length)}${job.jobArn.split('/')[1]}`;
    const results = toLines(objects.get(input)).map((line) =>
      isConverse(line) && !toAsked(line.modelInput).includes('fail')
        ? { ...line, modelOutput: converseAnswer }
        : { ...line, error: { errorCode: 400, errorMessage: 'It cannot be done.' } },
    );
    objects.set(
      `${folder}/${input.split('/').at(-1)}.out`,
      results.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    const failures = results.filter((line) => 'error' in line).length;
    const records = {
      ...{ totalRecordCount: results.length, processedRecordCount: results.length, errorRecordCount: failures },
      successRecordCount: results.length - failures,
    };
    objects.set(`${folder}/manifest.json.out`, JSON.stringify({ ...records, inputTokenCount: 9, outputTokenCount: 2 }));
    Object.assign(job, { status: 'Completed', endTime: '2026-09-21T14:33:20Z', ...(counts ? records : {}) });
  };
  return {
    upstream,
    bucket: stored,
    finish: () => {
      for (const job of jobs.values()) {
        if (job.status === 'Submitted') finishJob(job);
        if (job.status === 'Stopping') Object.assign(job, { status: 'Stopped', endTime: '2026-09-21T14:33:20Z' });
      }
    },
  };
};
