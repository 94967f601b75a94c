import type { JsonObject } from '../../../schema/json/json.ts';
import { awsOrigin } from '../auth/aws-origin.ts';
import { awsRegion } from '../auth/aws-target.ts';

/** https://docs.aws.amazon.com/general/latest/gr/bedrock.html */
export const runtimeOrigin = (settings: JsonObject): string => awsOrigin('bedrock-runtime', awsRegion(settings));

/** The bucket is in the path: https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html */
export const s3Origin = (settings: JsonObject): string => awsOrigin('s3', awsRegion(settings));

const runtimePaths = /^\/(?:model|guardrail|async-invoke|openai)(?:[/?]|$)/;

/** Returns the origin that serves a path: the runtime, the control plane, or another host in place of both. */
export const servingOrigin = (sentTo: string, path: string, settings: JsonObject): string =>
  sentTo !== runtimeOrigin(settings) || runtimePaths.test(path) ? sentTo : awsOrigin('bedrock', awsRegion(settings));
