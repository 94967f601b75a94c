import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import { headerValue } from '../../../../sdk/http/http.ts';
import { headerFault } from '../../../kernel/requests/refusals.ts';
import type { Account } from '../account.ts';
import type { CloudStorage } from './cloud-storage.ts';

const findProblem = (
  { setting, header, isBucket }: CloudStorage,
  { slug }: Account,
  { own, named }: { readonly own: string; readonly named: string },
): Pick<InputProblem, 'message' | 'hint'> | undefined => {
  if (own !== '' && named !== '' && own !== named)
    return {
      message: `The provider "${slug}" keeps the files of its jobs in the bucket "${own}", and in no other.`,
      hint: `Leave the header ${header} out.`,
    };
  const bucket = own === '' ? named : own;
  if (bucket === '')
    return {
      message: `Nothing says which bucket has the files of the jobs of "${slug}".`,
      hint: `Name one with the header ${header}, or in the setting ${setting} of the provider.`,
    };
  return isBucket(bucket)
    ? undefined
    : { message: `"${bucket.slice(0, 255)}" is not the name of a bucket.`, hint: 'Write its name alone.' };
};

/**
 * The bucket for the files of jobs: that of the account's settings, or else the one that the request names. Throws the
 * `GatewayError` `invalid-input` if there is none, and for a request that names another than the settings.
 */
export const toBucket = (storage: CloudStorage, account: Account): string => {
  const own = findText(account.settings[storage.setting]) ?? '';
  const named = headerValue(account.headers, storage.header)?.trim() ?? '';
  const problem = findProblem(storage, account, { own, named });
  if (problem !== undefined) throw headerFault(storage.header, problem.message, problem.hint);
  return own === '' ? named : own;
};
