import { type AccountFiles, type AccountFilesParts, accountFiles, type FilesContext } from './account-files.ts';
import { passedFiles } from './passed-files.ts';
import { sharedAccount } from './shared-account.ts';

/** The files of the provider that a request names. Rejects with the `GatewayError` `invalid-input` where its name names nothing. */
export const providerFiles = async (parts: AccountFilesParts, context: FilesContext): Promise<AccountFiles> => {
  const account = await sharedAccount(context, async () => (await parts.viewOf(context.tenant)).saved);
  const files = account?.name === undefined ? undefined : await accountFiles(parts, context, account.name);
  return files ?? passedFiles({ parts, context, account });
};
