import { randomUUID } from 'node:crypto';
import { headerValue } from '../../../sdk/http/http.ts';
import { headerFault } from '../../kernel/requests/refusals.ts';
import { accountHeaders } from '../accounts/account-headers.ts';
import { isKey } from '../accounts/storage/file-id.ts';
import type { FilePlace } from './provider-file-store.ts';

/** Where files go whose keys nobody names, and what the gateway itself writes. */
const ownFolder = 'gatewright/';
const nameHeader = accountHeaders.fileName;
/** So that the whole address has at most 512 characters. */
const longest = 150;

export interface ObjectKey {
  readonly key: string;
  /** Whether the request says all of it, so that there may be such an object already. */
  readonly isGiven: boolean;
}

const givenBy = ({ account }: FilePlace, header: string): string | undefined => {
  const given = headerValue(account.headers, header)?.trim();
  if (given === undefined || (given.length <= longest && isKey(given))) return given;
  throw headerFault(
    header,
    `"${given.slice(0, longest)}" cannot be the name of a file in a bucket.`,
    `Send letters of ASCII, digits, ".", "_", "~" and "-", in segments with "/" between them, ${longest} characters at most.`,
  );
};

const inOwnFolder = (header: string): Error =>
  headerFault(header, `What the gateway writes itself begins with "${ownFolder}".`, 'Send another key.');

const asKey = (filename: string): string => {
  const key = filename.replace(/[^\w.~-]/g, '_').slice(-longest);
  return isKey(key) ? key : '_';
};

/**
 * The key of a new object: the one that the header `keyHeader` says, or else a name in a folder of its own that belongs to the
 * workspace. Throws the `GatewayError` `invalid-input`.
 */
export const objectKey = (filename: string, place: FilePlace, keyHeader: string | undefined): ObjectKey => {
  const given = keyHeader === undefined ? undefined : givenBy(place, keyHeader);
  if (keyHeader !== undefined && given?.startsWith(ownFolder)) throw inOwnFolder(keyHeader);
  if (given !== undefined) return { key: given, isGiven: true };
  const name = givenBy(place, nameHeader) ?? asKey(filename);
  return { key: `${ownFolder}uploads/${place.tenant}/${randomUUID()}/${name}`, isGiven: false };
};
