import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { errorCode } from '../../../../schema/text/error-code.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { isExpired } from '../../kernel/records/is-expired.ts';
import { givenMasterKeys, withMasterKey } from '../../kernel/secrets/master-key.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import { adminScopes } from './key-principal.ts';
import { adminUntil, insertKey } from './key-store.ts';
import { keyHash, keyMask, makeKeyText } from './key-text.ts';

const advice = 'Send it as x-gw-api-key. It is not shown again: gw keys create --admin creates another one.';

/** Creates the first free file of `FILE`, `FILE.2`, `FILE.3` and so on. */
const createFree = async (
  file: string,
  number = 1,
): Promise<{ readonly name: string; readonly handle: FileHandle }> => {
  const name = number === 1 ? file : `${file}.${number}`;
  try {
    return { name, handle: await open(name, 'wx', 0o600) };
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return createFree(file, number + 1);
    throw error;
  }
};

const writeFree = async (file: string, text: string): Promise<string> => {
  const { name, handle } = await createFree(file);
  try {
    await handle.writeFile(text);
    return name;
  } catch (error) {
    await rm(name, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
};

const replaceFile = async (file: string, text: string): Promise<string> => {
  const beside = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(beside, text, { mode: 0o600, flag: 'wx' });
    await rename(beside, file);
    return file;
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
};

/**
 * Resolves to the name of the file. No existing file or link is written to, because its permissions may let others read it: it is
 * replaced, unless it may be the file of another store.
 */
const writePrivate = async (
  text: string,
  { file, isShared }: { readonly file: string; readonly isShared: boolean },
): Promise<string> => {
  try {
    return await (isShared ? writeFree : replaceFile)(file, text);
  } catch (error) {
    throw new AdminKeyError(
      `The first admin key of this store could not be written to ${file}: ${errorText(error)}. It is lost: make room for the file, run gw keys create --admin, which makes another one in the store, and start the gateway again.`,
    );
  }
};

/**
 * Shows the first admin key of a new store to the person who started the gateway: on the terminal, or in a file that only its
 * owner can read. Rejects with an `AdminKeyError` if the file cannot be written.
 */
export const reportFirstStart = async (
  first: FirstStart,
  {
    say,
    isTerminal,
    file,
    isShared = false,
  }: {
    /** Notifies the operator. */
    readonly say: (text: string) => void;
    /** Whether the output is a terminal that a person reads. */
    readonly isTerminal: boolean;
    /** The file for the key if the output is not a terminal. It may exist since an earlier start. */
    readonly file: string;
    /** Whether other stores have the same file. */
    readonly isShared?: boolean;
  },
): Promise<void> => {
  if (first.made === 'none' && first.given === 'unknown') {
    const where = existsSync(file) ? `, which was written to ${file}` : '';
    say(
      `gw: The store already has an admin key${where}. GW_ADMIN_KEY is not one that it accepts, and is not used. If the admin key is lost, gw keys create --admin creates another one in the store.\n`,
    );
  }
  if (first.made === 'none' && first.isLost)
    say(
      'gw: No key of this store can manage keys any more: its admin keys are revoked or have expired. gw keys create --admin creates another one in the store.\n',
    );
  if (first.made !== 'new') return;
  if (isTerminal) return say(`gw: The first admin key of this store is\n\n  ${first.key}\n\n${advice}\n`);
  const written = await writePrivate(`${first.key}\n`, { file, isShared });
  say(`gw: The first admin key of this store is in ${written}. Move it to a safe place.\n`);
};

/** A chosen key must be as hard to guess as 16 random bytes in hexadecimal digits. */
const minLength = 32;

export interface FirstStartOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The chosen key from `GW_ADMIN_KEY`. */
  readonly adminKey?: string | undefined;
}

/**
 * The outcome of the first start for the admin key: a key was created, which only this caller learns; the hash of the given key
 * was stored; or a key existed already, and the store accepts the given key or does not.
 */
export type FirstStart =
  | { readonly made: 'new'; readonly key: string }
  | { readonly made: 'given' }
  | {
      readonly made: 'none';
      readonly given: 'absent' | 'accepted' | 'unknown';
      /** No key can manage keys any more: all of them are revoked, have expired, or lack scopes. */
      readonly isLost?: true;
    };

/** Thrown if the chosen admin key cannot be used. The message is a sentence or two: the problem, and what to do. */
export class AdminKeyError extends Error {
  override readonly name = 'AdminKeyError';
}

/** Throws an `AdminKeyError` if a chosen key cannot be used. */
const checkChosen = (key: string): void => {
  const hint = 'Set it to what "openssl rand -hex 32" prints, or leave it out and the gateway creates one.';
  if (!/^[\x21-\x7e]*$/.test(key))
    throw new AdminKeyError(`GW_ADMIN_KEY has a character that a header cannot carry, such as a space. ${hint}`);
  if (key.length < minLength)
    throw new AdminKeyError(`GW_ADMIN_KEY has ${key.length} characters, and needs at least ${minLength}. ${hint}`);
};

/** The keys that an operator sets. */
export interface GivenKeys {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The master key as text, if the gateway file refers to one. */
  readonly masterKey?: (() => string) | undefined;
}

/** Whether a path names something that gives its content only once, such as a pipe. */
const isReadOnce = (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  );

/**
 * Checks the keys that a start is given before it opens its store, so that a refused start creates no files. A master key from a
 * pipe is checked only once the store is open. Rejects with an `AdminKeyError` or a `SecretError`.
 */
export const checkGivenKeys = async ({ env, masterKey }: GivenKeys): Promise<void> => {
  if (env.GW_ADMIN_KEY) checkChosen(env.GW_ADMIN_KEY);
  const variables = withMasterKey(env, masterKey?.());
  for (const file of [variables.GW_MASTER_KEY_FILE, variables.GW_MASTER_KEY_PREVIOUS_FILE])
    if (file !== undefined && (await isReadOnce(file))) return;
  await givenMasterKeys(variables);
};

/** Returns the oldest organisation, which is created with its workspace `default` if there is none. */
const ensureOrganisation = async (writing: Writing, now: number): Promise<string> => {
  const named = { name: 'default', settings: '{}', created_at: now, updated_at: now };
  const found = await writing.selectFrom('organisations').select('id').orderBy('id').limit(1).executeTakeFirst();
  const organisation = found?.id ?? newId(now);
  if (found === undefined)
    await writing
      .insertInto('organisations')
      .values({ id: organisation, ...named })
      .execute();
  const workspace = await writing
    .selectFrom('workspaces')
    .select('id')
    .where('organisation_id', '=', organisation)
    .where('slug', '=', 'default')
    .executeTakeFirst();
  if (workspace === undefined)
    await writing
      .insertInto('workspaces')
      .values({ id: newId(now), organisation_id: organisation, slug: 'default', ...named })
      .execute();
  return organisation;
};

/** Adds a key of the organisation with all scopes, which is the chosen one if given, and resolves to it. */
const addAdminKey = async (
  store: Store,
  writing: Writing,
  {
    organisation,
    now,
    chosen,
  }: { readonly organisation: string; readonly now: number; readonly chosen?: string | undefined },
): Promise<string> => {
  const id = newId(now);
  const key = chosen ?? makeKeyText(id);
  await insertKey(store, writing, {
    ...{ id, organisation_id: organisation, workspace_id: null, kind: 'organisation', user_id: null, name: 'admin' },
    ...{
      hash: keyHash(key),
      mask: keyMask(key),
      scopes: JSON.stringify(adminScopes),
      defaults: '{}',
      status: 'active',
    },
    ...{
      expires_at: null,
      previous_hash: null,
      previous_until: null,
      rotation: null,
      created_by: null,
      limits: null,
      now,
    },
  });
  return key;
};

/** Resolves to whether the store accepts a key at a time. */
const readState = async (writing: Writing, key: string, now: number): Promise<'accepted' | 'unknown'> => {
  const hash = keyHash(key);
  const row = await writing
    .selectFrom('keys')
    .selectAll()
    .where((where) => where.or({ hash, previous_hash: hash }))
    .executeTakeFirst();
  const isAccepted =
    row !== undefined &&
    row.status !== 'revoked' &&
    !isExpired(row, now) &&
    (row.hash === hash || (row.previous_until ?? 0) > now);
  return isAccepted ? 'accepted' : 'unknown';
};

/**
 * Ensures that there are an organisation with its workspace `default`, and a first key of the organisation with all scopes. If a
 * key of an organisation ever existed, even one that was revoked, none is created: a restart restores nothing. If several
 * processes start at once, one creates the key. A chosen key has been checked by `checkGivenKeys`.
 */
export const ensureFirst = (store: Store, { adminKey, now }: FirstStartOptions): Promise<FirstStart> =>
  store.write(async (writing): Promise<FirstStart> => {
    const organisation = await ensureOrganisation(writing, now);
    const admins = await writing.selectFrom('keys').selectAll().where('kind', '=', 'organisation').execute();
    if (admins.length > 0)
      return {
        made: 'none',
        given: adminKey === undefined ? 'absent' : await readState(writing, adminKey, now),
        ...(admins.some((row) => adminUntil(row) > now) ? {} : { isLost: true }),
      };
    const key = await addAdminKey(store, writing, { organisation, now, chosen: adminKey });
    return adminKey === undefined ? { made: 'new', key } : { made: 'given' };
  });

/** Creates another key of the organisation with all scopes, in case the admin keys are lost, and resolves to it. */
export const recoverAdminKey = (store: Store, { now }: Pick<FirstStartOptions, 'now'>): Promise<string> =>
  store.write(async (writing) =>
    addAdminKey(store, writing, { organisation: await ensureOrganisation(writing, now), now }),
  );
