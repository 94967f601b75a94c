import { gatewayError } from '../../../../schema/errors/errors.ts';
import { findText } from '../../../../schema/json/loose.ts';
import type { Account } from './account.ts';
import { ask } from './ask.ts';
import { type FileForm, fileForm } from './file-form.ts';

/**
 * Uploads a file to an account whose API of files is OpenAI's, and resolves to its id there. Rejects like `ask`.
 * https://platform.openai.com/docs/api-reference/files/create
 */
export const uploadFile = async (
  account: Account,
  file: Omit<FileForm, 'fields'>,
  purpose: string,
): Promise<string> => {
  const received = fileForm({ ...file, fields: { purpose } });
  const { id } = await ask(account, { method: 'POST', path: '/files', received });
  if (findText(id) === undefined)
    throw gatewayError('unreadable-answer', { provider: account.provider, reason: 'its file has no id.' });
  return String(id);
};
