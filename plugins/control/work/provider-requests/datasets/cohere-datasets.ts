import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../../schema/json/loose.ts';
import type { Account } from '../account.ts';
import { answerChunks } from '../answer-bytes.ts';
import { toRefusal } from '../provider-refusal.ts';
import { readId, requestJson, requestOk, signedAddress, unreadableAnswer } from '../request-json.ts';
import { type FileForm, fileForm } from '../upload-file.ts';
import { AvroError } from './avro/avro-bytes.ts';
import { avroRecords } from './avro/avro-records.ts';

const at = (id: string): string => `/datasets/${encodeURIComponent(id)}`;

/** Reads Cohere's description of a dataset. Rejects like `requestJson`. https://docs.cohere.com/reference/get-dataset */
export const readDataset = async (account: Account, id: string): Promise<JsonObject> =>
  findObject((await requestJson(account, { method: 'GET', path: at(id), isCounted: false })).dataset) ?? {};

/** Checks whether a dataset is ready to be used and read. */
export const isReady = ({ validation_status: status }: JsonObject): boolean =>
  status === 'validated' || status === 'skipped';

const firstMs = 250;
const growth = 1.5;
const longestMs = 5000;
const maxMs = 600_000;

/**
 * Resolves when a dataset is validated. Rejects with a `ProviderRefusal` of status 400 and the reason if validation fails, with
 * one of status 504 after ten minutes, and like `requestJson`. https://docs.cohere.com/docs/datasets#dataset-validation
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
  const message = 'The provider did not validate the lines within ten minutes. Try again later.';
  throw toRefusal(504, [], JSON.stringify({ message }));
};

/** Deletes a dataset, even after the client has disconnected: https://docs.cohere.com/reference/delete-dataset */
export const removeDataset = async (account: Account, id: string): Promise<void> => {
  await requestJson(account, { method: 'DELETE', path: at(id), isCounted: false, outlivesClient: true });
};

interface NewDataset extends Pick<FileForm, 'filename' | 'bytes' | 'read'> {
  /** The beginning of its id. */
  readonly name: string;
  /** The type of its lines: `embed-input`, `batch-chat-v2-input`. */
  readonly type: string;
}

/**
 * Uploads a file to a Cohere account as a dataset, and resolves to its id before it is validated. The extension of the file name,
 * such as `.jsonl`, determines the format. Rejects like `requestJson`. https://docs.cohere.com/reference/create-dataset
 */
export const uploadDataset = async (account: Account, { name, type, ...file }: NewDataset): Promise<string> => {
  const path = `/datasets?${new URLSearchParams({ name, type })}`;
  const received = fileForm({ ...file, field: 'data', fields: {} });
  return readId(account, await requestJson(account, { method: 'POST', path, received }), 'dataset');
};

/**
 * Yields the records of a Cohere dataset, whose parts are Avro files at signed addresses. Throws the `GatewayError`
 * `unreadable-answer` for an invalid or incomplete part, and a `ProviderRefusal` for a part that no longer exists.
 * https://docs.cohere.com/reference/get-dataset
 */
export async function* datasetRecords(account: Account, id: string): AsyncGenerator<JsonObject> {
  const dataset = await readDataset(account, id);
  if (!isReady(dataset)) throw unreadableAnswer(account, `its dataset ${id} is not validated.`);
  const parts = toObjects(dataset.dataset_parts).toSorted(
    (one, other) => (findNumber(one.index) ?? 0) - (findNumber(other.index) ?? 0),
  );
  for (const { url, num_rows: rows } of parts) {
    const address = signedAddress(account, url, `a part of its dataset ${id}`);
    const { body } = await requestOk(account, { method: 'GET', ...address });
    let read = 0;
    try {
      for await (const record of avroRecords(answerChunks(body))) {
        read += 1;
        yield record;
      }
    } catch (error) {
      if (error instanceof AvroError)
        throw unreadableAnswer(account, `a part of its dataset ${id} cannot be read: ${error.message}.`);
      throw error;
    }
    const stated = findNumber(rows);
    if (stated !== undefined && stated !== read)
      throw unreadableAnswer(account, `a part of its dataset ${id} has ${read} of ${stated} rows.`);
  }
}
