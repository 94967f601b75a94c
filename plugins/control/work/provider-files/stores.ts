import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import { headerValue } from '../../../sdk/http/http.ts';
import { CountedBytes } from '../../kernel/blobs/blob-storage.ts';
import { conflict, headerError } from '../../kernel/requests/refusals.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import { batchDatasets } from '../batches/providers/cohere.ts';
import { type Account, accountHeaders } from '../provider-requests/account.ts';
import * as cohere from '../provider-requests/datasets/cohere-datasets.ts';
import * as fireworks from '../provider-requests/datasets/fireworks-datasets.ts';
import { ProviderRefusal } from '../provider-requests/provider-refusal.ts';
import { isoSeconds, readCount, readInteger } from '../provider-requests/read-values.ts';
import { requestOk } from '../provider-requests/request-json.ts';
import {
  type CloudStorage,
  isKey,
  objectOfId,
  type StoredObject,
  toBucket,
  toFileId,
} from '../provider-requests/storage/cloud-storage.ts';
import { gcs, s3 } from '../provider-requests/storage/object-storage.ts';
import { preferBodyError } from '../provider-requests/upload-file.ts';
import {
  type FilePlace,
  modelLines,
  type ProviderFile,
  type ProviderFileStore,
  rangeHeaders,
  toContentResponse,
} from './provider-file-store.ts';

const { uploadSize: sizeHeader, fileName: nameHeader } = accountHeaders;

const refusedSize = (message: string) =>
  headerError(sizeHeader, message, 'Send the number of bytes of the file, or omit the header.');

/** Reads the number of bytes that the client announces. */
const announcedSize = ({ headers }: Account): number | undefined => {
  const said = headerValue(headers, sizeHeader)?.trim();
  if (said !== undefined && !/^\d{1,15}$/.test(said))
    throw refusedSize(`The header ${sizeHeader} is not a number of bytes.`);
  return said === undefined ? undefined : Number(said);
};

/** Files at Fireworks, which are data sets: https://docs.fireworks.ai/api-reference/create-dataset */
const fireworksFiles: ProviderFileStore = {
  purposes: ['fine-tune'],
  lacks: {},
  findId: (text) => (/^[\w-]{1,255}$/.test(text) ? text : undefined),
  async upload({ filename, length, bytes }, { account, now }) {
    const size = length ?? announcedSize(account);
    const counted = new CountedBytes(bytes, (count) => {
      if (size !== undefined && count > size) throw refusedSize(`The file has more than ${size} bytes.`);
    });
    const read = async function* (): AsyncGenerator<Uint8Array> {
      yield* counted;
      if (size !== undefined && counted.count < size)
        throw refusedSize(`The file has ${counted.count} bytes instead of ${size}.`);
    };
    const id = await fireworks.uploadDataset({ filename, bytes: size, read }, account);
    return { id, bytes: counted.count, createdAt: toSeconds(now()), filename, purpose: 'fine-tune' };
  },
  async find(id, account) {
    const { displayName, createTime, state } = await fireworks.findDataset(id, account);
    return {
      ...{ id, bytes: 0, createdAt: isoSeconds(createTime) ?? 0, filename: findText(displayName) ?? id },
      ...{ purpose: 'fine-tune', status: state === 'READY' ? 'processed' : 'uploaded' },
    };
  },
  content: async (id, account) => toContentResponse(await fireworks.readDataset(id, account, rangeHeaders(account))),
  remove: fireworks.removeDataset,
};

/** The folder of files without an explicit key, and of everything that the gateway itself writes. */
const ownFolder = 'gatewright/';
/** The maximum length of a key or file name, which keeps the whole address within 512 characters. */
const longest = 150;

/** Reads a part of the object's key from a header of the request. Throws the `GatewayError` `invalid-input`. */
const givenBy = ({ account }: FilePlace, header: string): string | undefined => {
  const given = headerValue(account.headers, header)?.trim();
  if (given === undefined || (given.length <= longest && isKey(given))) return given;
  throw headerError(
    header,
    `"${given.slice(0, longest)}" cannot be the name of a file in a bucket.`,
    `Use at most ${longest} characters: ASCII letters, digits, ".", "_", "~" and "-", in segments separated by "/".`,
  );
};

const asKey = (filename: string): string => {
  const key = filename.replace(/[^\w.~-]/g, '_').slice(-longest);
  return isKey(key) ? key : '_';
};

/**
 * Reads the whole key of a new object from the header that may set it. An object with such a key may already exist. Throws the
 * `GatewayError` `invalid-input`.
 */
const givenKey = (place: FilePlace, header: string | undefined): string | undefined => {
  if (header === undefined) return undefined;
  const given = givenBy(place, header);
  if (given?.startsWith(ownFolder))
    throw headerError(
      header,
      `Keys that begin with "${ownFolder}" are reserved for files of the gateway.`,
      'Send another key.',
    );
  return given;
};

/** Creates a key in a new folder that belongs to the workspace. Throws the `GatewayError` `invalid-input`. */
const newKey = (filename: string, place: FilePlace): string =>
  `${ownFolder}uploads/${place.tenant}/${randomUUID()}/${givenBy(place, nameHeader) ?? asKey(filename)}`;

/**
 * Creates the store of files in an account's cloud. The id of a file is its address, percent-encoded. `keyHeader` is the header
 * that sets the whole key of a new object.
 */
const cloudFiles = (
  storage: CloudStorage,
  lacks: ProviderFileStore['lacks'],
  keyHeader?: string,
): ProviderFileStore => {
  const toObject = (id: string): StoredObject => objectOfId(storage, id) ?? { bucket: '', key: '' };
  return {
    lacks,
    findId(text) {
      const object = objectOfId(storage, text);
      return object && toFileId(storage, object);
    },
    async upload(file, place) {
      const { account, now } = place;
      const { filename, purpose } = file;
      const given = givenKey(place, keyHeader);
      const key = given ?? newKey(filename, place);
      const object = { bucket: toBucket(storage, account), key };
      const createdAt = toSeconds(now());
      const { bytes, ...use } = await modelLines(file, place);
      const counted = new CountedBytes(bytes);
      const note = { filename, purpose, created_at: createdAt, ...use };
      try {
        await storage.write(account, object, counted, { note, isNew: given !== undefined });
      } catch (error) {
        if (!(error instanceof ProviderRefusal) || error.reply.status !== 412) throw error;
        throw conflict(`The bucket "${object.bucket}" already has an object "${key}".`, 'Send another key.');
      }
      return { id: toFileId(storage, object), bytes: counted.count, createdAt, filename, purpose };
    },
    async find(id, account) {
      const { bytes, note } = await storage.head(account, toObject(id));
      return {
        ...{ id, bytes, createdAt: readInteger(note.created_at) ?? 0 },
        ...{ filename: findText(note.filename) ?? '', purpose: findText(note.purpose) ?? '' },
      };
    },
    content: async (id, account) =>
      toContentResponse(await requestOk(account, { ...storage.reading(toObject(id)), headers: rangeHeaders(account) })),
    remove: (id, account) => storage.remove(account, toObject(id)),
  };
};

/** The dataset type of texts for embed jobs: https://docs.cohere.com/docs/embed-jobs-api */
const textsType = 'embed-input';

/** Adds an extension if there is none, because Cohere detects formats by it. */
const withFormat = (filename: string): string => (/\.(?:jsonl|csv)$/i.test(filename) ? filename : `${filename}.jsonl`);

const toStatus = (dataset: JsonObject): NonNullable<ProviderFile['status']> => {
  if (cohere.isReady(dataset)) return 'processed';
  return dataset.validation_status === 'failed' ? 'error' : 'uploaded';
};

/** Files at Cohere, which are datasets: https://docs.cohere.com/docs/datasets */
const cohereFiles: ProviderFileStore = {
  purposes: ['batch'],
  lacks: { content: 'Keep your own copy of the file, or store it at the gateway with x-gw-provider: gw.' },
  findId: (text) => (/^[\w.-]{1,255}$/.test(text) ? text : undefined),
  async upload(file, place) {
    const { filename, length } = file;
    const { bytes, endpoint } = await modelLines(file, place);
    const counted = new CountedBytes(bytes);
    const name = filename.replace(/[^\w.-]/g, '_');
    const dataset = {
      ...{ name, type: batchDatasets[endpoint ?? ''] ?? textsType, filename: withFormat(filename) },
      bytes: endpoint === undefined ? length : undefined,
    };
    const id = await preferBodyError(
      () => counted,
      (read) => cohere.uploadDataset(place.account, { ...dataset, read }),
    );
    return {
      ...{ id, bytes: counted.count, createdAt: toSeconds(place.now()), filename: name },
      ...{ purpose: 'batch', status: 'uploaded' },
    };
  },
  async find(id, account) {
    const dataset = await cohere.readDataset(account, id);
    const sizes = toObjects(dataset.dataset_parts).map((part) => readCount(part.size_bytes));
    return {
      ...{ id, purpose: 'batch', bytes: sizes.reduce((sum, size) => sum + size, 0), status: toStatus(dataset) },
      ...{ createdAt: isoSeconds(dataset.created_at) ?? 0, filename: findText(dataset.name) ?? id },
    };
  },
  remove: (id, account) => cohere.removeDataset(account, id),
};

const keepIds = 'Keep the ids that POST /v1/files returns.';

/** The providers whose form of files is not OpenAI's. */
export const providerFileStores: ReadonlyMap<string, ProviderFileStore> = new Map([
  [
    'bedrock',
    cloudFiles(
      s3,
      { list: keepIds, delete: 'Delete the object in its bucket, or give the bucket a lifecycle rule.' },
      accountHeaders.s3Key,
    ),
  ],
  ['cohere', cohereFiles],
  ['fireworks-ai', fireworksFiles],
  ['vertex-ai', cloudFiles(gcs, { list: keepIds })],
]);
