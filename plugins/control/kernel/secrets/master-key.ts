import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { link, open, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../../../schema/text/error-code.ts';
import { fileError, fileHint } from '../../../../schema/text/file-error.ts';
import { takeProcessLock } from '../store/sqlite/process-lock.ts';
import { syncFolder } from '../store/sync-folder.ts';
import { SecretError } from './seal.ts';

/** The key that wraps the data keys. It is never stored with them. */
export interface MasterKey {
  /** 16 hexadecimal digits that distinguish master keys and say nothing of their bytes. */
  readonly id: string;
  readonly key: KeyObject;
}

/** The master key, and the one before it while a rotation is under way. */
export interface MasterKeys {
  readonly masterKey: MasterKey;
  readonly previousMasterKey?: MasterKey;
}

const keyBytes = 32;

const readMasterKey = (bytes: Buffer): MasterKey => ({
  id: createHmac('sha256', bytes).update('The id of a master key').digest('hex').slice(0, 16),
  key: createSecretKey(bytes),
});

/** A new random master key. */
export const newMasterKey = (): MasterKey => readMasterKey(randomBytes(keyBytes));

/** The master key as `masterKeyFrom` reads it. It is a secret. */
export const masterKeyText = ({ key }: MasterKey): string => key.export().toString('base64');

/** The bytes that a text writes; undefined unless the text is exactly how one of the encodings writes 32 bytes. */
const findBytes = (text: string): Buffer | undefined => {
  if (/^[\da-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  const unpadded = text.replace(/=$/, '');
  return (['base64', 'base64url'] as const)
    .map((encoding) => ({ bytes: Buffer.from(unpadded, encoding), encoding }))
    .find(({ bytes, encoding }) => bytes.toString(encoding).replace(/=$/, '') === unpadded && bytes.length === keyBytes)
    ?.bytes;
};

/** Whether `masterKeyFrom` would read a text. */
export const isMasterKey = (text: string): boolean => findBytes(text.trim()) !== undefined;

/** Why a text is no master key, in words that do not repeat any of it. */
const toFault = (text: string): string => {
  if (text === '') return 'it is empty';
  if (![43, 44, 64].includes(text.length)) return `it has ${text.length} characters`;
  if (/[^\w+/=-]/.test(text)) return 'it has a character that none of these has';
  return 'it is none of these';
};

/**
 * Reads a master key: 32 bytes as base64, base64url or hexadecimal digits; white space around it is ignored. Throws a
 * `SecretError` that calls the text by `name` and repeats nothing of it.
 */
export const masterKeyFrom = (text: string, name = 'The master key'): MasterKey => {
  const trimmed = text.trim();
  const bytes = findBytes(trimmed);
  if (bytes !== undefined) return readMasterKey(bytes);
  throw new SecretError(
    `${name} must be 32 bytes as base64 or base64url (43 or 44 characters) or as 64 hexadecimal digits, but ${toFault(trimmed)}: make one with \`openssl rand -base64 32\`.`,
  );
};

const failed = (doing: string, file: string, error: unknown): SecretError =>
  new SecretError(
    `The master key in ${file} cannot be ${doing}: ${fileError(error)}. ${fileHint(error)} Or set GW_MASTER_KEY.`,
  );

/**
 * Writes keys to a file beside `file`, readable by its owner only, whose content a crash does not take away; `place` gives it
 * its name.
 */
const write = async (
  file: string,
  keys: readonly MasterKey[],
  place: (beside: string, file: string) => Promise<void>,
): Promise<void> => {
  const beside = `${file}.${randomUUID()}`;
  try {
    const text = keys.map((key) => `${masterKeyText(key)}\n`).join('');
    await writeFile(beside, text, { flag: 'wx', mode: 0o600, flush: true });
    await place(beside, file);
    await syncFolder(path.dirname(file));
  } catch (error) {
    await rm(beside, { force: true });
    throw failed('written', file, error);
  }
};

/** Gives the file beside another its name, unless another process is first. */
const placeFirst = async (beside: string, file: string): Promise<void> => {
  try {
    await link(beside, file);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await unlink(beside);
  }
};

/** The content of the file; undefined if there is none. */
const readPrivate = async (file: string): Promise<string | undefined> => {
  try {
    const handle = await open(file, 'r');
    try {
      const { mode } = await handle.stat();
      if (process.platform !== 'win32' && (mode & 0o077) !== 0)
        throw new SecretError(
          `The master key in ${file} is open to others than the owner of the file: run \`chmod 600 ${file}\`, and rotate the key if they may have read it.`,
        );
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof SecretError) throw error;
    if (errorCode(error) === 'ENOENT') return undefined;
    throw failed('read', file, error);
  }
};

/**
 * The master key that a store has in a file of its own, `<store>.key`. The first time, the file is made, readable by its owner
 * only; of processes that start together, one makes it. While the key is rotated the file has two lines, and the second is
 * the previous key. Rejects with a `SecretError` if others can read the file, or if it has no key.
 */
export const ownMasterKey = async (file: string): Promise<MasterKeys> => {
  let text = await readPrivate(file);
  if (text === undefined) {
    await write(file, [newMasterKey()], placeFirst);
    text = (await readPrivate(file)) ?? '';
  }
  const [first = '', second] = text.trim().split('\n');
  const masterKey = masterKeyFrom(first, `The master key in ${file}`);
  if (second === undefined) return { masterKey };
  return { masterKey, previousMasterKey: masterKeyFrom(second, `The previous master key in ${file}`) };
};

/** Takes away what processes that were killed have left of `write`: it has keys in it. */
const removeLeft = async (file: string): Promise<void> => {
  const folder = path.dirname(file);
  const isLeft = (name: string): boolean =>
    name.startsWith(`${path.basename(file)}.`) && /\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(name);
  for (const name of await readdir(folder)) if (isLeft(name)) await unlink(path.join(folder, name));
};

/**
 * Rotates the master key of such a file by the sealer that `openSealer` makes of the keys in it, which it rejects if they are not
 * those of the store. At any time the file has the key that the store is sealed with. What was interrupted is taken up again
 * by the next call. Rejects with a `SecretError`, among others if another process rotates it: of two new keys, one would be
 * lost.
 */
export const rotateOwnMasterKey = async (
  file: string,
  readSealer: (held: MasterKeys) => Promise<{ rotateMaster(next: MasterKey): Promise<void> }>,
): Promise<void> => {
  const unlock = takeProcessLock(`${file}.lock`);
  if (unlock === undefined) {
    throw new SecretError(`The master key in ${file} is being rotated by another process: wait until that has ended.`);
  }
  try {
    const held = await ownMasterKey(file);
    const sealer = await readSealer(held);
    const { masterKey, previousMasterKey } = held;
    const next = previousMasterKey === undefined ? newMasterKey() : masterKey;
    if (previousMasterKey === undefined) await write(file, [next, masterKey], rename);
    await sealer.rotateMaster(next);
    await write(file, [next], rename);
    await removeLeft(file);
  } finally {
    unlock();
  }
};

type Environment = Readonly<Record<string, string | undefined>>;

const fromFile = async (file: string, name: string): Promise<MasterKey> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (isMasterKey(file))
      throw new SecretError(`${name} is a master key itself: write the path of a file that has it.`);
    throw new SecretError(
      `The file that ${name} names, ${file}, cannot be read (${error.code ?? 'unknown'}): name a file that the gateway can read.`,
    );
  });
  return masterKeyFrom(text, `The master key in ${file}`);
};

/** The key that a variable has, or the file that the variable with `_FILE` after its name names. */
const fromEnvironment = async (env: Environment, name: string): Promise<MasterKey | undefined> => {
  const [text, file] = [env[name], env[`${name}_FILE`]];
  if (text !== undefined && file !== undefined) {
    throw new SecretError(`Both ${name} and ${name}_FILE are set: unset one of them.`);
  }
  if (text !== undefined) return masterKeyFrom(text, name);
  return file === undefined ? undefined : fromFile(file, `${name}_FILE`);
};

/** Whether a variable has a key, or the one with `_FILE` after its name names a file. */
export const isKeySet = (env: Environment, name: string): boolean =>
  [name, `${name}_FILE`].some((each) => env[each] !== undefined);

/** An environment where the gateway file's master key, if it names one, is in the place of the environment's. */
export const withMasterKey = (env: Environment, masterKey: string | undefined): Environment =>
  masterKey === undefined ? env : { ...env, GW_MASTER_KEY: masterKey, GW_MASTER_KEY_FILE: undefined };

/**
 * The master key of `GW_MASTER_KEY` or of the file that `GW_MASTER_KEY_FILE` names, and the one before it of
 * `GW_MASTER_KEY_PREVIOUS` or `GW_MASTER_KEY_PREVIOUS_FILE`. Where the environment has none, it is that of `ownFile`, which is
 * made if it is not there; without `ownFile` there is none. Rejects with a `SecretError` if a text is no master key or a
 * file cannot be read.
 */
export const findMasterKeys = async (env: Environment, ownFile?: string): Promise<Partial<MasterKeys>> => {
  const masterKey = await fromEnvironment(env, 'GW_MASTER_KEY');
  const previousMasterKey = await fromEnvironment(env, 'GW_MASTER_KEY_PREVIOUS');
  const previous = previousMasterKey === undefined ? {} : { previousMasterKey };
  if (masterKey !== undefined) return { masterKey, ...previous };
  if (ownFile !== undefined) return { ...previous, ...(await ownMasterKey(ownFile)) };
  if (previousMasterKey === undefined) return {};
  throw new SecretError('GW_MASTER_KEY_PREVIOUS is set, but GW_MASTER_KEY is not: set both while the key is rotated.');
};

const withoutTheKey =
  'Without the key nobody can read the credentials that are saved in the store; to begin without them, name another file with --store, and save them again.';

/**
 * Describes for an operator a store that is sealed with a key that is not in the store's own file: what the file is,
 * and what can be done. No command brings back what was sealed with a key that is gone.
 */
export const lostKeyText = (file: string, exists: boolean): string => {
  const state = exists ? 'has another key' : 'is not there';
  return `The key that a gateway makes for its store is in ${file}, which ${state}: restore that file from the backup that belongs to this store, readable by its owner only. ${withoutTheKey}`;
};

/**
 * Describes for an operator a store that is sealed with another key than the one that was set: which key there would be if
 * none was set.
 */
export const otherKeyText = (file: string, exists: boolean): string => {
  const unset = `Where neither GW_MASTER_KEY nor "store.master_key" of the gateway file is set, the key is that in ${file}`;
  return exists
    ? `${unset}: set neither if the store is sealed with that one.`
    : `${unset}, which is not there. ${withoutTheKey}`;
};
