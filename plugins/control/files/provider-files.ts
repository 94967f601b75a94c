import { sharedAccount } from '../remote-ids/shared-account.ts';
import { passedFiles } from './passed-files.ts';
import {
  type AccountFiles,
  type AccountFilesParts,
  accountFiles,
  type FilesContext,
} from './providers/account-files.ts';

/** The files of the provider that a request names. Rejects with the `GatewayError` `invalid-input` where its name names nothing. */
export const providerFiles = async (parts: AccountFilesParts, context: FilesContext): Promise<AccountFiles> => {
  const account = await sharedAccount(context, async () => (await parts.viewOf(context.tenant)).saved);
  const files = account?.name === undefined ? undefined : await accountFiles(parts, context, account.name);
  return files ?? passedFiles({ parts, context, account });
};
