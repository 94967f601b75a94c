import { homedir } from 'node:os';
import type { StoreFlags } from '../compiler/cli/command-line/services.ts';
import { UsageError } from '../compiler/cli/command-line/usage-error.ts';
import { CommandFailure } from '../plugins/control/cli/command-line/services.ts';
import { remoteStore, remoteStoreIfSet } from '../plugins/control/cli/remote-store.ts';
import type { AskedStore } from '../schema/config/saved-names.ts';

const toUsageError = (error: unknown): never => {
  throw error instanceof CommandFailure ? new UsageError(error.message, error.hint) : error;
};

const withUsageErrors = (asked: AskedStore): AskedStore => ({
  origin: asked.origin,
  find: (name) => asked.find(name),
  config: (name) => asked.config(name).catch(toUsageError),
  version: (slug, number) => asked.version(slug, number).catch(toUsageError),
  versionsAt: (slug, time) => asked.versionsAt(slug, time).catch(toUsageError),
  record: (id) => asked.record(id).catch(toUsageError),
});

const here = () => ({ env: process.env, home: homedir() });

const toValues = ({ profile, workspace }: StoreFlags) => ({ profile, workspace });

/** Opens the store for `CommandServices`. */
export const store = async (flags: StoreFlags): Promise<AskedStore> =>
  withUsageErrors(await remoteStore(here(), toValues(flags)).catch(toUsageError));

/** Does the same, or returns undefined if nothing names a gateway. */
export const storeIfSet = async (flags: StoreFlags): Promise<AskedStore | undefined> => {
  const asked = await remoteStoreIfSet(here(), toValues(flags)).catch(toUsageError);
  return asked && withUsageErrors(asked);
};
