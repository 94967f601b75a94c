import type { Account } from '../accounts/account.ts';
import { ask } from '../accounts/ask.ts';
import { ProviderRefusal } from '../accounts/provider-refusal.ts';
import { providerFileStores } from '../provider-files/stores.ts';

const send = async (id: string, account: Account): Promise<void> => {
  const files = providerFileStores.get(account.provider);
  if (files !== undefined) return files.remove(id, account);
  // https://platform.openai.com/docs/api-reference/files/delete
  await ask(account, { method: 'DELETE', path: `/files/${encodeURIComponent(id)}` });
};

/** Deletes a file of an account, which may be gone already. Rejects like `ask`. */
export const deleteCopy = async (id: string, account: Account): Promise<void> => {
  try {
    await send(id, account);
  } catch (error) {
    if (!(error instanceof ProviderRefusal) || error.reply.status !== 404) throw error;
  }
};
