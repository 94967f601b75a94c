import { type CloudStorage, objectAt, type StoredObject, toAddress } from './cloud-storage.ts';

/** Whether a text can be the key of an object that clients name: unreserved characters in segments, none of them `.` or `..`. */
export const isKey = (text: string): boolean =>
  text.split('/').every((segment) => /^[\w.~-]+$/.test(segment) && segment !== '.' && segment !== '..');

/** What clients call an object: its address, percent-encoded, so that it is one segment of a path. */
export const toFileId = (storage: CloudStorage, object: StoredObject): string =>
  encodeURIComponent(toAddress(storage, object));

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
};

/** The object of an id that is encoded once, twice or not at all; undefined if it is none that clients can name. */
export const objectOfId = (storage: CloudStorage, id: string): StoredObject | undefined => {
  for (const address of [id, decoded(id), decoded(decoded(id))]) {
    const object = objectAt(storage, address);
    if (object !== undefined) return isKey(object.key) ? object : undefined;
  }
  return undefined;
};
