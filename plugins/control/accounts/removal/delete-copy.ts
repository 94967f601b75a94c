import { tuningOf } from '../../fine-tuning/executors/executors.ts';
import type { Account } from '../account.ts';
import { ask } from '../ask.ts';
import { ProviderRefusal } from '../provider-refusal.ts';
import { objectAt } from '../storage/cloud-storage.ts';
import { gcs } from '../storage/gcs.ts';
import { s3 } from '../storage/s3.ts';

const send = async (id: string, account: Account): Promise<void> => {
  for (const storage of [s3, gcs]) {
    const object = objectAt(storage, id);
    if (object !== undefined) return storage.remove(account, object);
  }
  const remove = tuningOf(account.provider)?.removeFile;
  if (remove !== undefined) return remove(id, account);
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
