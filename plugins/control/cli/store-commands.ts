import { existsSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CommandSpec, CommandTree, OptionSpec } from '../../../schema/command-help/command-spec.ts';
import { errorCode } from '../../../schema/text/error-code.ts';
import { fileError, fileHint } from '../../../schema/text/file-error.ts';
import { recoverAdminKey } from '../access/keys/first-key.ts';
import { isSealed } from '../kernel/secrets/canary.ts';
import {
  findMasterKeys,
  isKeySet,
  lostKeyText,
  rotateOwnMasterKey,
  withMasterKey,
} from '../kernel/secrets/master-key.ts';
import { createSealer } from '../kernel/secrets/sealer.ts';
import { besideStore, openStore, readStoreUrl, type StoreUrl } from '../kernel/store/open/open-store.ts';
import type { OlderStore, Store } from '../kernel/store/store.ts';
import {
  assertUsable,
  type ControlServices,
  type ExitCode,
  type FlagValues,
  findFlagText,
  runFailure,
  withArguments,
} from './command-line/services.ts';

/** The flags of commands that open the store themselves. */
const storeFlags: { readonly [flag: string]: OptionSpec } = {
  store: {
    type: 'string',
    value: 'FILE|URL',
    describe: 'The SQLite file, or the postgres:// URL. If absent, the store of the gateway file.',
  },
  config: {
    type: 'string',
    value: 'FILE',
    describe: 'The gateway file that names the store; gateway.json by default, if there is one.',
  },
};

const namedStore = async (
  { cwd, configuredStore }: ControlServices,
  { store, config }: FlagValues,
  command: string,
): Promise<StoreUrl> => {
  const url = findFlagText(store) ?? (await configuredStore(findFlagText(config)));
  assertUsable(url !== undefined, `${command} requires a store.`, 'Name it with --store FILE|URL.');
  const at = readStoreUrl(/^[a-z][a-z0-9+.-]+:/i.test(url) ? url : resolve(cwd, url));
  // A misspelt name must not create a store.
  assertUsable(
    at.kind !== 'sqlite' || existsSync(at.file),
    `There is no store ${at.where}.`,
    'Correct the name. Only gw serve --store FILE creates a store.',
  );
  return at;
};

/**
 * Opens the store that `--store` or a gateway file names, while a gateway may be serving it, and closes it afterwards. Rejects
 * with a `CommandFailure` if there is none, and if it or its secrets cannot be opened.
 */
const withStore = async <Result>(
  {
    services,
    values,
    command,
    older = 'refuse',
  }: {
    readonly services: ControlServices;
    readonly values: FlagValues;
    readonly command: string;
    /** `refuse` if absent, because the gateway of an earlier version may be serving its store. */
    readonly older?: OlderStore;
  },
  run: (opened: { readonly store: Store; readonly at: StoreUrl }) => Promise<Result>,
): Promise<Result> => {
  try {
    const at = await namedStore(services, values, command);
    const url = at.kind === 'sqlite' ? at.file : at.url;
    const say = (text: string): void => void services.err.write(text);
    const store = await openStore({ url, serving: false, older, say });
    try {
      return await run({ store, at });
    } finally {
      await store.close();
    }
  } catch (error) {
    // The messages of these errors already say what to do.
    throw error instanceof Error && ['StoreError', 'SecretError'].includes(error.name)
      ? runFailure(error.message, '')
      : error;
  }
};

const rotateSpec: CommandSpec = {
  name: 'gw keys rotate-master',
  summary: 'Re-encrypts the secrets of the store with another master key.',
  positionals: '',
  takes: { min: 0, max: 0 },
  options: storeFlags,
  notes: [
    'It can run while gateways serve the store.',
    '',
    'With a key of the environment, or of "store.master_key" in the gateway file: start each gateway with the new key there and',
    'the old one as GW_MASTER_KEY_PREVIOUS (or their _FILE), run this with the same variables, then start them without the old',
    'key.',
    '',
    'With the key in STORE.key, which is beside a SQLite file if no other key is set: a new key is created and replaces it.',
    'The gateway reads it by itself.',
    '',
    'Service keys and credentials stay as they are. Run this again to continue an interrupted rotation.',
  ].join('\n'),
  examples: ['gw keys rotate-master --store gateway.db'],
};

export const rotateMasterTree: CommandTree = { spec: rotateSpec };

type Rotate = (
  opened: { readonly store: Store; readonly at: StoreUrl },
  services: Pick<ControlServices, 'env' | 'cwd'>,
) => Promise<string>;

/** Rotates to the master key in the variable `name`, and returns a text for people. */
const withGivenKey =
  (name: string): Rotate =>
  async ({ store, at }, { env, cwd }) => {
    const own = besideStore(at, '.key', cwd);
    const from =
      at.kind === 'sqlite' && existsSync(own)
        ? `GW_MASTER_KEY_PREVIOUS to the old key, or GW_MASTER_KEY_PREVIOUS_FILE to ${own}`
        : 'GW_MASTER_KEY_PREVIOUS to the old key';
    assertUsable(
      isKeySet(env, 'GW_MASTER_KEY_PREVIOUS'),
      `${name} is set, but the previous key is not.`,
      `Set ${name} to the new key and ${from}.`,
    );
    const { masterKey, previousMasterKey } = await findMasterKeys(env);
    assertUsable(masterKey !== undefined, `${name} is not set.`, 'Set it to the new master key.');
    const sealer = await createSealer({ store, masterKey, previousMasterKey });
    await sealer.rotateMaster(masterKey);
    return `The secrets of the store are now encrypted with ${name}. Start each gateway without GW_MASTER_KEY_PREVIOUS.`;
  };

const withOwnFile: Rotate = async ({ store, at }, { cwd }) => {
  const file = besideStore(at, '.key', cwd);
  const hasFile = at.kind === 'sqlite' && existsSync(file);
  const isLost = at.kind === 'sqlite' && !hasFile && (await isSealed(store));
  assertUsable(
    hasFile,
    'There is no master key to rotate.',
    isLost ? lostKeyText(file, false) : 'Set GW_MASTER_KEY to the new key and GW_MASTER_KEY_PREVIOUS to the old one.',
  );
  await rotateOwnMasterKey(file, (held) => createSealer({ store, ...held }));
  return `The secrets of the store are now encrypted with a new key in ${file}. A gateway that serves it reads that key by itself.`;
};

/** Returns the rotation to the master key that `gw serve` would find. */
const toRotation = (env: ControlServices['env'], configured: string | undefined): Rotate => {
  if (configured !== undefined) return withGivenKey('"store.master_key" of the gateway file');
  return ['GW_MASTER_KEY', 'GW_MASTER_KEY_PREVIOUS'].some((name) => isKeySet(env, name))
    ? withGivenKey('GW_MASTER_KEY')
    : withOwnFile;
};

/** `gw keys rotate-master`. */
export const rotateMaster = (services: ControlServices, argv: readonly string[]): Promise<ExitCode> =>
  withArguments(services, rotateSpec, argv, async ({ values }) => {
    const configured = await services.configuredMasterKey(findFlagText(values.config));
    const env = withMasterKey(services.env, configured);
    const rotate = toRotation(services.env, configured);
    const done = await withStore({ services, values, command: rotateSpec.name }, (opened) =>
      rotate(opened, { env, cwd: services.cwd }),
    );
    services.out.write(`${done}\n`);
    return 0;
  });

const backupSpec: CommandSpec = {
  name: 'gw backup',
  summary: 'Copies a SQLite store to a file, even while a gateway serves it.',
  positionals: 'FILE',
  takes: { min: 1, max: 1 },
  options: storeFlags,
  notes: [
    'FILE must not exist. It is a snapshot of the store, without the keys that its secrets are encrypted with: anyone who has',
    'only the copy cannot read them. Keep the store itself, or save credentials again after you restore a backup.',
    'The copy has neither the log of requests, which is beside STORE, nor the files of workspaces, which are in the folder',
    'STORE-files if the gateway file names no other place.',
    'To restore it, stop the gateway, remove STORE-wal and STORE-shm if they exist, and copy FILE to STORE.',
    '',
    'Use pg_dump to copy a store in PostgreSQL.',
  ].join('\n'),
  examples: ['gw backup copy.db --store gateway.db'],
};

export const backupTree: CommandTree = { spec: backupSpec };

/** `gw backup`. */
export const backup = (services: ControlServices, argv: readonly string[]): Promise<ExitCode> =>
  withArguments(services, backupSpec, argv, async ({ values, positionals: [file = ''] }) => {
    const target = resolve(services.cwd, file);
    // After an upgrade of the store, neither its gateway nor the copy could be used with the earlier version again.
    const opened = { services, values, command: backupSpec.name, older: 'keep' } as const;
    await withStore(opened, ({ store }) => store.backup(target));
    services.out.write(`${file} has a copy of the store, without the keys that its secrets are encrypted with.\n`);
    return 0;
  });

const unwritable = (file: string, error: unknown): Error =>
  errorCode(error) === 'EEXIST'
    ? runFailure(
        `${file} already exists, and may have a key that is still in use.`,
        'Move it to a safe place, and run this again.',
      )
    : runFailure(
        `${file} cannot be written: ${fileError(error)}.`,
        `${fileHint(error)} Or run this in a terminal, which shows the key.`,
      );

const writeWhole = async (handle: FileHandle, text: string): Promise<void> => {
  await handle.writeFile(text);
  await handle.sync();
};

/**
 * Creates a file that only its owner can read, with the text that `make` resolves to. The file is created before the text, so
 * that the text cannot be lost because the file cannot be written. Rejects with a `CommandFailure` if the file already exists.
 */
const writePrivateFile = async (file: string, make: () => Promise<string>): Promise<void> => {
  let handle: FileHandle;
  try {
    handle = await open(file, 'wx', 0o600);
  } catch (error) {
    throw unwritable(file, error);
  }
  try {
    await writeWhole(handle, await make()).catch((error: unknown) => {
      throw unwritable(file, error);
    });
  } catch (error) {
    await unlink(file);
    throw error;
  } finally {
    await handle.close();
  }
};

const adminSpec: CommandSpec = {
  name: 'gw keys create --admin',
  summary: 'Creates an admin key in the store itself, to replace a lost one.',
  positionals: '',
  takes: { min: 0, max: 0 },
  options: { admin: { type: 'boolean', describe: 'Create a key of the organisation with all scopes.' }, ...storeFlags },
  notes: [
    'It sends no request to a gateway: anyone who can write to the store can create the key. A gateway that serves the store',
    'accepts it within a second. In a terminal the key is shown once. Otherwise it is written to STORE.admin-key, which only its',
    'owner can read, and the path is printed.',
  ].join('\n'),
  examples: ['gw keys create --admin --store gateway.db'],
};

export const createAdminTree: CommandTree = { spec: adminSpec };

/** `gw keys create --admin`. */
export const createAdminKey = (services: ControlServices, argv: readonly string[]): Promise<ExitCode> =>
  withArguments(services, adminSpec, argv, async ({ values }) => {
    const { out, err, cwd, isTerminal } = services;
    await withStore({ services, values, command: adminSpec.name }, async ({ store, at }) => {
      const make = async (): Promise<string> => `${await recoverAdminKey(store, { now: Date.now() })}\n`;
      if (isTerminal) {
        out.write(await make());
        err.write('gw: This admin key is not shown again. Send it as x-gw-api-key, or set GW_API_KEY to it.\n');
        return;
      }
      const file = besideStore(at, '.admin-key', cwd);
      await writePrivateFile(file, make);
      out.write(`${file}\n`);
    });
    return 0;
  });
