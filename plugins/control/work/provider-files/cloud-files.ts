import { randomUUID } from 'node:crypto';
import { findNumber, findText } from '../../../../schema/json/loose.ts';
import { headerValue } from '../../../sdk/http/http.ts';
import { conflict, headerError } from '../../kernel/requests/refusals.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import { accountHeaders } from '../accounts/account-headers.ts';
import { accepted } from '../accounts/ask.ts';
import { ProviderRefusal } from '../accounts/provider-refusal.ts';
import {
  type CloudStorage,
  isKey,
  objectOfId,
  type StoredObject,
  toBucket,
  toFileId,
} from '../accounts/storage/cloud-storage.ts';
import { modelLines } from './model-lines.ts';
import {
  asContent,
  CountedBytes,
  type FilePlace,
  type ProviderFileStore,
  rangeHeaders,
} from './provider-file-store.ts';

/** Where files go whose keys nobody names, and what the gateway itself writes. */
const ownFolder = 'gatewright/';
const nameHeader = accountHeaders.fileName;
/** So that the whole address has at most 512 characters. */
const longest = 150;

interface ObjectKey {
  readonly key: string;
  /** Whether the request says all of it, so that there may be such an object already. */
  readonly isGiven: boolean;
}

const givenBy = ({ account }: FilePlace, header: string): string | undefined => {
  const given = headerValue(account.headers, header)?.trim();
  if (given === undefined || (given.length <= longest && isKey(given))) return given;
  throw headerError(
    header,
    `"${given.slice(0, longest)}" cannot be the name of a file in a bucket.`,
    `Send letters of ASCII, digits, ".", "_", "~" and "-", in segments with "/" between them, ${longest} characters at most.`,
  );
};

const inOwnFolder = (header: string): Error =>
  headerError(header, `What the gateway writes itself begins with "${ownFolder}".`, 'Send another key.');

const asKey = (filename: string): string => {
  const key = filename.replace(/[^\w.~-]/g, '_').slice(-longest);
  return isKey(key) ? key : '_';
};

/**
 * The key of a new object: the one that the header `keyHeader` says, or else a name in a folder of its own that belongs to the
 * workspace. Throws the `GatewayError` `invalid-input`.
 */
const objectKey = (filename: string, place: FilePlace, keyHeader: string | undefined): ObjectKey => {
  const given = keyHeader === undefined ? undefined : givenBy(place, keyHeader);
  if (keyHeader !== undefined && given?.startsWith(ownFolder)) throw inOwnFolder(keyHeader);
  if (given !== undefined) return { key: given, isGiven: true };
  const name = givenBy(place, nameHeader) ?? asKey(filename);
  return { key: `${ownFolder}uploads/${place.tenant}/${randomUUID()}/${name}`, isGiven: false };
};

interface CloudFiles extends Pick<ProviderFileStore, 'lacks'> {
  readonly storage: CloudStorage;
  /** The header that says the whole key of a new object. */
  readonly keyHeader?: string;
}

/** Makes the store of files in an account's cloud; the id of one is its address, percent-encoded. */
export const cloudFiles = ({ storage, keyHeader, lacks }: CloudFiles): ProviderFileStore => {
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
      const { key, isGiven } = objectKey(filename, place, keyHeader);
      const object = { bucket: toBucket(storage, account), key };
      const createdAt = toSeconds(now());
      const written = await modelLines(file, place);
      const counted = new CountedBytes(written?.bytes ?? file.bytes);
      const use = written === undefined ? {} : { model: written.model, endpoint: written.endpoint };
      const note = { filename, purpose, created_at: createdAt, ...use };
      try {
        await storage.write(account, object, counted, { note, isNew: isGiven });
      } catch (error) {
        if (!(error instanceof ProviderRefusal) || error.reply.status !== 412) throw error;
        throw conflict(`The bucket "${object.bucket}" has an object "${key}" already.`, 'Send another key.');
      }
      return { id: toFileId(storage, object), bytes: counted.count, createdAt, filename, purpose };
    },
    async find(id, account) {
      const { bytes, note } = await storage.head(account, toObject(id));
      return {
        ...{ id, bytes, createdAt: findNumber(note.created_at) ?? 0 },
        ...{ filename: findText(note.filename) ?? '', purpose: findText(note.purpose) ?? '' },
      };
    },
    async content(id, account) {
      const headers = rangeHeaders(account);
      return asContent(await accepted(account, { ...storage.reading(toObject(id)), headers }));
    },
    remove: (id, account) => storage.remove(account, toObject(id)),
  };
};
