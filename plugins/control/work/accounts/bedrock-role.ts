import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import type { Account } from './account.ts';

/** The role with which Bedrock reads and writes the files of a job: the one that a request names, or else the account's. */
export const bedrockRole = (named: string | undefined, { settings }: Account): string | undefined =>
  named ?? findText(settings.cloudc_job_role_arn);

/** What is wrong where there is none. */
export const missingRole: InputProblem = {
  pointer: toPointer(['role_arn']),
  message: '"role_arn" is missing, which Bedrock requires.',
  hint: 'Add the ARN of the role with which Bedrock reads and writes files, or save it as cloudc_job_role_arn in the provider.',
};
