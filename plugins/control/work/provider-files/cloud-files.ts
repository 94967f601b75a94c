import { findNumber, findText } from '../../../../schema/json/loose.ts';
import { conflict } from '../../kernel/requests/refusals.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import { accepted } from '../accounts/ask.ts';
import { ProviderRefusal } from '../accounts/provider-refusal.ts';
import type { CloudStorage, StoredObject } from '../accounts/storage/cloud-storage.ts';
import { objectOfId, toFileId } from '../accounts/storage/file-id.ts';
import { toBucket } from '../accounts/storage/to-bucket.ts';
import { CountedBytes } from './counted-bytes.ts';
import { asContent, rangeHeaders } from './file-content-answer.ts';
import { modelLines } from './model-lines.ts';
import { objectKey } from './object-key.ts';
import type { ProviderFileStore } from './provider-file-store.ts';

interface CloudFiles extends Pick<ProviderFileStore, 'lacks'> {
  readonly storage: CloudStorage;
  /** The header that says the whole key of a new object. */
  readonly keyHeader?: string;
}

/** Files in the storage of an account's cloud; the id of one is its address, percent-encoded. */
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
