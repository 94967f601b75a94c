import { randomUUID } from 'node:crypto';
import { gatewayError } from '../../../schema/errors.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { textOf } from '../../../schema/loose.ts';
import type { Account } from './account.ts';
import { ask } from './ask.ts';
import { type FileForm, fileForm } from './file-form.ts';
import { withOwnFault } from './with-own-fault.ts';

/** The part of all paths that names the account at Fireworks. Throws the `GatewayError` `missing-base-url` if its setting is missing. */
export const fireworksPath = ({ settings, provider }: Account): string => {
  const id = textOf(settings.fireworks_account_id);
  if (id === undefined)
    throw gatewayError('missing-base-url', { provider, reason: 'fireworks_account_id is missing.' });
  return `/accounts/${encodeURIComponent(id)}`;
};

const datasets = (account: Account): string => `${fireworksPath(account)}/datasets`;

const at = (id: string, account: Account): string => `${datasets(account)}/${encodeURIComponent(id)}`;

/** https://docs.fireworks.ai/api-reference/get-dataset */
export const findDataset = (id: string, account: Account): Promise<JsonObject> =>
  ask(account, { method: 'GET', path: at(id, account) });

/** Deletes a data set, also after the client has left that wants it. */
export const removeDataset = async (id: string, account: Account): Promise<void> => {
  await ask(account, { method: 'DELETE', path: at(id, account), outlivesClient: true });
};

/**
 * Makes a data set of a file, and resolves to its id. What breaks off leaves none. Rejects like `ask`, or like the bytes.
 * https://docs.fireworks.ai/api-reference/upload-dataset-files
 */
export const uploadDataset = async (file: Omit<FileForm, 'fields'>, account: Account): Promise<string> => {
  const datasetId = `gw-${randomUUID()}`;
  const dataset = { displayName: file.filename, userUploaded: {} };
  await ask(account, { method: 'POST', path: datasets(account), body: { datasetId, dataset } });
  try {
    await withOwnFault(file.read, (read) => {
      const received = fileForm({ ...file, read, fields: {} });
      return ask(account, { method: 'POST', path: `${at(datasetId, account)}:upload`, received });
    });
  } catch (error) {
    await removeDataset(datasetId, account).catch(() => {});
    throw error;
  }
  return datasetId;
};
