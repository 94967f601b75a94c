import { gatewayError } from '../../../../../schema/errors/errors.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import type { Account } from '../account.ts';
import { ask } from '../ask.ts';
import { type FileForm, fileForm } from '../file-form.ts';

export interface NewDataset extends Pick<FileForm, 'filename' | 'bytes' | 'read'> {
  /** Its id begins with it. */
  readonly name: string;
  /** What its lines are: `embed-input`, `batch-chat-v2-input`. */
  readonly type: string;
}

/**
 * Uploads a file to an account of Cohere as a dataset, and resolves to its id before it is validated. The end of the file's name,
 * such as `.jsonl`, says what format it has. Rejects like `ask`. https://docs.cohere.com/reference/create-dataset
 */
export const uploadDataset = async (account: Account, { name, type, ...file }: NewDataset): Promise<string> => {
  const received = fileForm({ ...file, field: 'data', fields: {} });
  const query = new URLSearchParams({ name, type });
  const { id } = await ask(account, { method: 'POST', path: `/datasets?${query}`, received });
  if (findText(id) === undefined)
    throw gatewayError('unreadable-answer', { provider: account.provider, reason: 'its dataset has no id.' });
  return String(id);
};
