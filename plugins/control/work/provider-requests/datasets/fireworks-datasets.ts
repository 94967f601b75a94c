import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { gatewayError } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../../schema/json/loose.ts';
import type { GatewayResponse, RawHeaders } from '../../../../sdk/http/http.ts';
import { orUndo } from '../../../kernel/records/records.ts';
import type { Account } from '../account.ts';
import { answerBytes } from '../answer-bytes.ts';
import { ProviderRefusal } from '../provider-refusal.ts';
import { requestJson, requestOk, signedAddress } from '../request-json.ts';
import { type FileForm, fileForm, preferBodyError } from '../upload-file.ts';

type DatasetFile = Pick<FileForm, 'filename' | 'bytes' | 'read'>;

/**
 * Returns the prefix of all paths, which names the Fireworks account. Throws the `GatewayError` `missing-base-url` if its setting
 * is missing.
 */
export const fireworksPath = ({ settings, provider }: Account): string => {
  const id = findText(settings.fireworks_account_id);
  if (id === undefined)
    throw gatewayError('missing-base-url', { provider, reason: 'fireworks_account_id is missing.' });
  return `/accounts/${encodeURIComponent(id)}`;
};

const datasets = (account: Account): string => `${fireworksPath(account)}/datasets`;

const at = (id: string, account: Account): string => `${datasets(account)}/${encodeURIComponent(id)}`;

/** https://docs.fireworks.ai/api-reference/get-dataset */
export const findDataset = (id: string, account: Account): Promise<JsonObject> =>
  requestJson(account, { method: 'GET', path: at(id, account) });

/** Deletes a data set, even after the client has disconnected. */
export const removeDataset = async (id: string, account: Account): Promise<void> => {
  await requestJson(account, { method: 'DELETE', path: at(id, account), outlivesClient: true });
};

/** The name of the file in a data set. Its original name is the display name of the data set. */
const fileName = 'lines.jsonl';

/**
 * Reads the signed address of a data set's file, from the response of
 * https://docs.fireworks.ai/api-reference/get-dataset-upload-endpoint or of the download endpoint.
 */
const addressIn = ({ filenameToSignedUrls }: JsonObject, account: Account) =>
  signedAddress(account, Object.values(findObject(filenameToSignedUrls) ?? {})[0], 'a file of its data set');

/**
 * Reads the bytes of a data set, or the range that `headers` request:
 * https://docs.fireworks.ai/api-reference/get-dataset-download-endpoint
 */
export const readDataset = async (id: string, account: Account, headers: RawHeaders): Promise<GatewayResponse> => {
  const found = await requestJson(account, { method: 'GET', path: `${at(id, account)}:getDownloadEndpoint` });
  return requestOk(account, { method: 'GET', ...addressIn(found, account), headers });
};

const maxTries = 10;
const pauseMs = 1000;

/**
 * Validates an upload. Fireworks refuses this until its storage has put the file together.
 * https://docs.fireworks.ai/api-reference/validate-dataset-upload
 */
const validateUpload = async (id: string, account: Account): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      await requestJson(account, {
        method: 'POST',
        path: `${at(id, account)}:validateUpload`,
        body: {},
        isCounted: false,
      });
      return;
    } catch (error) {
      const mayPass = error instanceof ProviderRefusal && error.reply.status === 400 && tries < maxTries;
      if (!mayPass) throw error;
      await setTimeout(pauseMs);
    }
  }
};

type Upload = (id: string, account: Account, file: DatasetFile) => Promise<void>;

/** Uploads a file of known length and any size. The storage refuses any other number of bytes. */
const uploadAt: Upload = async (id, account, { bytes = 0, read }) => {
  const given = await requestJson(account, {
    ...{ method: 'POST', path: `${at(id, account)}:getUploadEndpoint`, isCounted: false },
    body: { filenameToSize: { [fileName]: String(bytes) } },
  });
  const { body: answer } = await requestOk(account, {
    ...{ method: 'PUT', ...addressIn(given, account), headers: ['x-goog-content-length-range', `${bytes},${bytes}`] },
    received: {
      ...{ contentType: 'application/octet-stream', encoding: undefined, length: bytes },
      body: { kind: 'stream', stream: Readable.from(read(), { objectMode: false }) },
    },
  });
  await answerBytes(answer);
  await validateUpload(id, account);
};

/**
 * Uploads a file as a form, for which Fireworks has a limit of 150 MB:
 * https://docs.fireworks.ai/api-reference/upload-dataset-files
 */
const uploadForm: Upload = async (id, account, file) => {
  await requestJson(account, {
    ...{ method: 'POST', path: `${at(id, account)}:upload`, isCounted: false },
    received: fileForm({ ...file, fields: {} }),
  });
};

/**
 * Creates a data set from a file, and resolves to its id. If the upload breaks off, no data set is left. Rejects like
 * `requestJson`, or with the error of the bytes.
 */
export const uploadDataset = async (file: DatasetFile, account: Account): Promise<string> => {
  const datasetId = `gw-${randomUUID()}`;
  await requestJson(account, {
    ...{ method: 'POST', path: datasets(account) },
    body: { datasetId, dataset: { displayName: file.filename, userUploaded: {} } },
  });
  const upload = file.bytes === undefined ? uploadForm : uploadAt;
  await orUndo(
    () => preferBodyError(file.read, (read) => upload(datasetId, account, { ...file, read })),
    () => removeDataset(datasetId, account),
  );
  return datasetId;
};
