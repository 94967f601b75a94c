import type { JsonObject } from '../../../schema/json/json.ts';
import { awsOrigin } from '../auth/aws-origin.ts';
import { textSetting } from '../row-parts/text-setting.ts';

/** The region of a target; throws an `Error` if it is not the name of one, since it becomes part of a host. */
export const awsRegion = (settings: JsonObject): string => {
  const region = textSetting(settings, 'cloudc_region') ?? 'us-east-1';
  if (!/^[a-z]{2}(?:-[a-z]+)+-\d{1,2}$/.test(region))
    throw new Error('cloudc_region must be the name of a region, such as "us-east-1".');
  return region;
};

/** https://docs.aws.amazon.com/general/latest/gr/bedrock.html */
export const runtimeOrigin = (settings: JsonObject): string => awsOrigin('bedrock-runtime', awsRegion(settings));

/** Buckets are named in the path: https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html */
export const s3Origin = (settings: JsonObject): string => awsOrigin('s3', awsRegion(settings));

const runtimePaths = /^\/(?:model|guardrail|async-invoke|openai)(?:[/?]|$)/;

/** The origin that serves a path: the runtime, the control plane, or another host in place of both. */
export const servingOrigin = (sentTo: string, path: string, settings: JsonObject): string =>
  sentTo !== runtimeOrigin(settings) || runtimePaths.test(path) ? sentTo : awsOrigin('bedrock', awsRegion(settings));
