import type { UpstreamCall } from '../../servers/upstream-server.ts';
import { oneOf } from '../one-of.ts';
import { signatureError } from '../storage/aws-keys.ts';
import { bucketObjects } from '../storage/bucket-objects.ts';
import { startVendorRoutes } from '../vendor-routes.ts';
import type { TuningVendor } from './tuning-vendor.ts';

interface Job {
  status: string;
  readonly [member: string]: unknown;
}

const missing = (call: UpstreamCall): void =>
  call.json(
    { message: 'The provided job identifier is not valid.' },
    { status: 404, headers: { 'x-amzn-errortype': 'ResourceNotFoundException' } },
  );

const required = [
  ...['jobName', 'customModelName', 'roleArn', 'baseModelIdentifier', 'trainingDataConfig', 'outputDataConfig'],
  'hyperParameters',
];

/**
 * Simulates model customization as Amazon documents it.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_CreateModelCustomizationJob.html
 */
export const startBedrockTuning = async (): Promise<TuningVendor> => {
  const jobs = new Map<string, Job>();
  const own = '/model-customization-jobs';
  const one = oneOf(jobs, missing);
  const upstream = await startVendorRoutes(
    [
      [
        'POST',
        new RegExp(`^${own}$`),
        (call) => {
          const body = call.request.json();
          const lacks = required.find((name) => body[name] === undefined);
          const isText = Object.values(body.hyperParameters).every((value) => typeof value === 'string');
          if (lacks !== undefined || !isText || !/^AWS4-HMAC-SHA256 /.test(call.request.header('authorization') ?? ''))
            return call.json({ message: `A validation error: ${lacks}` }, { status: 400 });
          const arn = `arn:aws:bedrock:us-east-1:1:model-customization-job/m/${jobs.size}`;
          jobs.set(body.jobName, {
            ...{ jobArn: arn, jobName: body.jobName, outputModelName: body.customModelName, roleArn: body.roleArn },
            ...{ status: 'InProgress', creationTime: '2026-09-21T13:33:20Z', lastModifiedTime: '2026-09-21T13:33:20Z' },
            baseModelArn: `arn:aws:bedrock:us-east-1::foundation-model/${body.baseModelIdentifier}`,
            ...{ hyperParameters: body.hyperParameters, trainingDataConfig: body.trainingDataConfig },
            ...{ outputDataConfig: body.outputDataConfig, customizationType: 'FINE_TUNING' },
          });
          call.json({ jobArn: arn }, { status: 201 });
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
      ...bucketObjects('jobs-bucket', (call) => signatureError(call, 's3') === undefined).routes,
    ],
    missing,
  );
  return {
    upstream,
    finish: (message) => {
      for (const job of jobs.values()) {
        if (job.status !== 'InProgress') continue;
        const end = { endTime: '2026-09-21T14:33:20.123Z' };
        Object.assign(
          job,
          end,
          message === undefined
            ? { status: 'Completed', outputModelArn: 'arn:aws:bedrock:us-east-1:1:custom-model/m/1' }
            : { status: 'Failed', failureMessage: message },
        );
      }
    },
  };
};
