import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../../schema/json/loose.ts';
import type { Account } from '../account.ts';
import { ask } from '../ask.ts';
import { toRefusal } from '../provider-refusal.ts';

const at = (id: string): string => `/datasets/${encodeURIComponent(id)}`;

/** A dataset as Cohere tells of it. Rejects like `ask`. https://docs.cohere.com/reference/get-dataset */
export const readDataset = async (account: Account, id: string): Promise<JsonObject> =>
  findObject((await ask(account, { method: 'GET', path: at(id), isCounted: false })).dataset) ?? {};

/** Whether a dataset is ready to be used and read. */
export const isReady = ({ validation_status: status }: JsonObject): boolean =>
  status === 'validated' || status === 'skipped';

const firstMs = 250;
const growth = 1.5;
const longestMs = 5000;
const maxMs = 600_000;

/**
 * Resolves when a dataset is validated. Rejects with a `ProviderRefusal` of 400 that says why it is not, with one of 504 after
 * ten minutes, and like `ask`. https://docs.cohere.com/docs/datasets#dataset-validation
 */
export const validated = async (account: Account, id: string): Promise<void> => {
  let waited = 0;
  for (let pause = firstMs; waited < maxMs; pause = Math.min(pause * growth, longestMs)) {
    const dataset = await readDataset(account, id);
    if (isReady(dataset)) return;
    if (dataset.validation_status === 'failed') {
      const message = findText(dataset.validation_error) ?? 'The provider does not say why.';
      throw toRefusal(400, [], JSON.stringify({ message: `The provider refuses the lines: ${message}` }));
    }
    await setTimeout(pause);
    waited += pause;
  }
  const message = 'The provider has not validated the lines after ten minutes. Try it again later.';
  throw toRefusal(504, [], JSON.stringify({ message }));
};

/** Deletes a dataset, also after the client has left that wants it: https://docs.cohere.com/reference/delete-dataset */
export const removeDataset = async (account: Account, id: string): Promise<void> => {
  await ask(account, { method: 'DELETE', path: at(id), isCounted: false, outlivesClient: true });
};
