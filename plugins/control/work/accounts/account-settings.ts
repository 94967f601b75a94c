import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import type { Account } from './account.ts';

/** Finds the role with which Bedrock reads and writes the files of a job: the one that a request names, or else the account's. */
export const bedrockRole = (named: string | undefined, { settings }: Account): string | undefined =>
  named ?? findText(settings.cloudc_job_role_arn);

/** The problem where no role is named. */
export const missingRole: InputProblem = {
  pointer: toPointer(['role_arn']),
  message: '"role_arn" is missing, which Bedrock requires.',
  hint: 'Add the ARN of the role with which Bedrock reads and writes files, or save it as cloudc_job_role_arn in the provider.',
};

/**
 * Writes the path of a collection, such as `tuningJobs`, in the region of an account; the provider writes the project in the place of
 * `-`. Throws the `GatewayError` `missing-base-url` without a region.
 */
export const vertexPath = ({ settings, provider }: Account, collection: string): string => {
  const region = findText(settings.cloudb_region);
  if (region === undefined) throw gatewayError('missing-base-url', { provider, reason: 'cloudb_region is missing.' });
  return `/projects/-/locations/${encodeURIComponent(region)}/${collection}`;
};
