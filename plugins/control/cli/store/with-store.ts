import { existsSync } from 'node:fs';
import path from 'node:path';
import type { FlagSpec } from '../../kernel/resource/api-command.ts';
import { openStore, readStoreUrl, type StoreUrl } from '../../kernel/store/open/open-store.ts';
import type { Store } from '../../kernel/store/store.ts';
import {
  CommandFailure,
  type ControlServices,
  type FlagValues,
  failed,
  findFlagText,
  unusable,
} from '../command-line/services.ts';

/** The flags of commands that open the store themselves. */
export const storeFlags: { readonly [flag: string]: FlagSpec } = {
  store: {
    type: 'string',
    value: 'FILE|URL',
    describe: 'The SQLite file, or the postgres:// URL. That of the gateway file if absent.',
  },
  config: {
    type: 'string',
    value: 'FILE',
    describe: 'The gateway file that names the store; gateway.json by default, if there is one.',
  },
};

export interface OpenedStore {
  readonly store: Store;
  readonly at: StoreUrl;
}

const namedStore = async (
  { cwd, configuredStore }: ControlServices,
  { store, config }: FlagValues,
  command: string,
): Promise<StoreUrl> => {
  const url = findFlagText(store) ?? (await configuredStore(findFlagText(config)));
  if (url === undefined) throw unusable(`${command} requires a store.`, 'Name it with --store FILE|URL.');
  const at = readStoreUrl(/^[a-z][a-z0-9+.-]+:/i.test(url) ? url : path.resolve(cwd, url));
  // A name that was written wrong must not make a store.
  if (at.kind === 'sqlite' && !existsSync(at.file))
    throw unusable(
      `There is no store ${at.where}.`,
      'Correct the name: gw serve --store FILE makes a store, this does not.',
    );
  return at;
};

const expected: ReadonlySet<string> = new Set(['StoreError', 'SecretError']);

/**
 * Opens the store that `--store` or a gateway file names, beside a gateway that serves it, and closes it afterwards. Rejects
 * with a `CommandFailure` where there is none, and where it or its secrets cannot be opened.
 */
export const withStore = async <Result>(
  {
    services,
    values,
    command,
  }: { readonly services: ControlServices; readonly values: FlagValues; readonly command: string },
  run: (opened: OpenedStore) => Promise<Result>,
): Promise<Result> => {
  try {
    const at = await namedStore(services, values, command);
    const store = await openStore({ url: at.kind === 'sqlite' ? at.file : at.url, serving: false });
    try {
      return await run({ store, at });
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof CommandFailure || !(error instanceof Error) || !expected.has(error.name)) throw error;
    // Its message says what to do.
    throw failed(error.message, '');
  }
};
