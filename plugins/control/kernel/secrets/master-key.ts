import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../../../schema/text/error-code.ts';
import { fileError, fileHint } from '../../../../schema/text/file-error.ts';
import { takeProcessLock } from '../store/sqlite/process-lock.ts';
import { syncFolder } from '../store/sync-folder.ts';
import { SecretError } from './seal.ts';

/** The key that wraps the data keys. It is never stored with them. */
export interface MasterKey {
  /** 16 hexadecimal digits that distinguish master keys and reveal nothing about their bytes. */
  readonly id: string;
  readonly key: KeyObject;
}

/** The master key, and the previous one during a rotation. */
export interface MasterKeys {
  readonly masterKey: MasterKey;
  readonly previousMasterKey?: MasterKey;
}

const keyBytes = 32;

const readMasterKey = (bytes: Buffer): MasterKey => ({
  id: createHmac('sha256', bytes).update('The id of a master key').digest('hex').slice(0, 16),
  key: createSecretKey(bytes),
});

/** Creates a random master key. */
export const newMasterKey = (): MasterKey => readMasterKey(randomBytes(keyBytes));

/** Returns the text of a master key, in a form that `masterKeyFrom` reads. It is a secret. */
export const masterKeyText = ({ key }: MasterKey): string => key.export().toString('base64');

/** Decodes a text; returns undefined unless it is exactly how one of the encodings writes 32 bytes. */
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

/** Explains why a text is not a master key, without repeating any of it. */
const toFault = (text: string): string => {
  if (text === '') return 'it is empty';
  if (![43, 44, 64].includes(text.length)) return `it has ${text.length} characters`;
  if (/[^\w+/=-]/.test(text)) return 'it has a character that none of these formats allows';
  return 'it is none of these';
};

/**
 * Reads a master key: 32 bytes as base64, base64url or hexadecimal digits; surrounding white space is ignored. Throws a
 * `SecretError` that calls the text by `name` and repeats none of it.
 */
export const masterKeyFrom = (text: string, name = 'The master key'): MasterKey => {
  const trimmed = text.trim();
  const bytes = findBytes(trimmed);
  if (bytes !== undefined) return readMasterKey(bytes);
  throw new SecretError(
    `${name} must be 32 bytes as base64 or base64url (43 or 44 characters) or as 64 hexadecimal digits, but ${toFault(trimmed)}: create one with \`openssl rand -base64 32\`.`,
  );
};

const failed = (doing: string, file: string, error: unknown): SecretError =>
  new SecretError(
    `The master key in ${file} cannot be ${doing}: ${fileError(error)}. ${fileHint(error)} Or set GW_MASTER_KEY.`,
  );

/**
 * Writes keys to a file next to `file` that only its owner can read, and that survives a crash; `place` then gives it its name.
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

/** Gives the temporary file its final name, unless another process did so first. */
const placeFirst = async (beside: string, file: string): Promise<void> => {
  try {
    await link(beside, file);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await unlink(beside);
  }
};

/** Returns the content of the file; undefined if there is none. */
const readPrivate = async (file: string): Promise<string | undefined> => {
  try {
    // Opening a pipe would wait for a writer.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const status = await handle.stat();
      const { mode } = status;
      if (!status.isFile() && !status.isDirectory())
        throw new SecretError(
          `The master key in ${file} cannot be read: it is a pipe or a device. Put a regular file there, or set GW_MASTER_KEY.`,
        );
      if (process.platform !== 'win32' && (mode & 0o077) !== 0)
        throw new SecretError(
          `The master key in ${file} can be read by users other than the owner of the file: run \`chmod 600 ${file}\`, and rotate the key if they may have read it.`,
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
 * Returns the master key that a store keeps in a file of its own, `<store>.key`. If there is no file, creates one that only its
 * owner can read; of processes that start together, one creates it. During a rotation the file has two lines, and the second is
 * the previous key. Rejects with a `SecretError` if others can read the file, or if it contains no key.
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

/** Removes the files that killed processes have left during `write`, because they contain keys. */
const removeLeft = async (file: string): Promise<void> => {
  const folder = path.dirname(file);
  const isLeft = (name: string): boolean =>
    name.startsWith(`${path.basename(file)}.`) && /\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(name);
  for (const name of await readdir(folder)) if (isLeft(name)) await unlink(path.join(folder, name));
};

/**
 * Rotates the master key of such a file with the sealer that `openSealer` creates from the keys in it, which rejects if they are
 * not those of the store. The file always contains the key that the store is sealed with. An interrupted rotation is resumed by
 * the next call. Rejects with a `SecretError`, for example if another process is rotating the key: of two new keys, one would be
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

/** A variable that names a file with a key. */
interface MasterKeyFile {
  readonly name: string;
  /** How long to wait if the file is a pipe that nothing writes to. */
  readonly pipeMs?: number | undefined;
}

const readGiven = async (file: string, pipeMs: number | undefined): Promise<string> => {
  if ((await stat(file)).isFile()) return readFile(file, 'utf8');
  const { readFileOrPipe } = await import('../../../sdk/files/read-file-or-pipe.ts');
  return (await readFileOrPipe(file, { waitMs: pipeMs })).toString('utf8');
};

const fromFile = async (file: string, { name, pipeMs }: MasterKeyFile): Promise<MasterKey> => {
  const text = await readGiven(file, pipeMs).catch((error: unknown) => {
    if (isMasterKey(file))
      throw new SecretError(`${name} is a master key itself: write the path of a file that has it.`);
    throw new SecretError(
      `The file that ${name} names, ${file}, cannot be read: ${fileError(error)}. ${fileHint(error)}`,
    );
  });
  return masterKeyFrom(text, `The master key in ${file}`);
};

/** Returns the key in a variable, or in the file that the variable with the suffix `_FILE` names. */
const fromEnvironment = async (
  env: Environment,
  name: string,
  pipeMs: number | undefined,
): Promise<MasterKey | undefined> => {
  const [text, file] = [env[name], env[`${name}_FILE`]];
  if (text !== undefined && file !== undefined) {
    throw new SecretError(`Both ${name} and ${name}_FILE are set: unset one of them.`);
  }
  if (text !== undefined) return masterKeyFrom(text, name);
  return file === undefined ? undefined : fromFile(file, { name: `${name}_FILE`, pipeMs });
};

/** Whether a variable contains a key, or the variable with the suffix `_FILE` names a file. */
export const isKeySet = (env: Environment, name: string): boolean =>
  [name, `${name}_FILE`].some((each) => env[each] !== undefined);

/** Returns the environment with the gateway file's master key, if it sets one, in place of the environment's own. */
export const withMasterKey = (env: Environment, masterKey: string | undefined): Environment =>
  masterKey === undefined ? env : { ...env, GW_MASTER_KEY: masterKey, GW_MASTER_KEY_FILE: undefined };

/**
 * Returns the master key from `GW_MASTER_KEY` or from the file that `GW_MASTER_KEY_FILE` names, and the previous key from
 * `GW_MASTER_KEY_PREVIOUS` or `GW_MASTER_KEY_PREVIOUS_FILE`. Rejects with a `SecretError` if a text is not a master key or a file
 * cannot be read, for example because it is a pipe that nothing writes to for `pipeMs`.
 */
export const givenMasterKeys = async (env: Environment, pipeMs?: number): Promise<Partial<MasterKeys>> => {
  const masterKey = await fromEnvironment(env, 'GW_MASTER_KEY', pipeMs);
  const previousMasterKey = await fromEnvironment(env, 'GW_MASTER_KEY_PREVIOUS', pipeMs);
  return { ...(masterKey && { masterKey }), ...(previousMasterKey && { previousMasterKey }) };
};

/**
 * Returns the keys that the environment gives. If it has no master key, that is the one of `ownFile`, which is created if it does
 * not exist; without `ownFile` there is no key. Rejects as `givenMasterKeys` does.
 */
export const findMasterKeys = async (
  env: Environment,
  ownFile?: string,
  pipeMs?: number,
): Promise<Partial<MasterKeys>> => {
  const given = await givenMasterKeys(env, pipeMs);
  const { masterKey, previousMasterKey } = given;
  if (masterKey !== undefined) return given;
  if (ownFile !== undefined) return { ...given, ...(await ownMasterKey(ownFile)) };
  if (previousMasterKey === undefined) return {};
  throw new SecretError('GW_MASTER_KEY_PREVIOUS is set, but GW_MASTER_KEY is not: set both while the key is rotated.');
};

const withoutTheKey =
  'Without the key nobody can read the credentials that are saved in the store; to start without them, name another file with --store, and save them again.';

/**
 * Explains to an operator that a store is sealed with a key that is not in the store's own file: what that file is, and what can
 * be done. No command can recover what was sealed with a lost key.
 */
export const lostKeyText = (file: string, exists: boolean): string => {
  const state = exists ? 'has another key' : 'is not there';
  return `The key that a gateway creates for its store is in ${file}, which ${state}: restore that file from the backup that belongs to this store, readable by its owner only. ${withoutTheKey}`;
};

/**
 * Explains to an operator that a store is sealed with a different key from the one that was set: which key would be used if none
 * was set.
 */
export const otherKeyText = (file: string, exists: boolean): string => {
  const unset = `If neither GW_MASTER_KEY nor "store.master_key" of the gateway file is set, the key is the one in ${file}`;
  return exists
    ? `${unset}: set neither if the store is sealed with that one.`
    : `${unset}, which is not there. ${withoutTheKey}`;
};
