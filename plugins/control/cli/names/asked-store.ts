import type { AskedStore, FoundName, MissingName } from '../../../../schema/config/saved-names.ts';
import { gatewayAccess, isGatewaySet } from '../client/gateway-access.ts';
import type { ControlServices, FlagValues } from '../command-line/services.ts';
import { fetchLog } from '../logs/fetch-log.ts';
import { findProvider } from './find-provider.ts';
import { readConfig, readVersionsAt } from './read-config.ts';
import { StoreReader } from './store-reader.ts';
import { unknownName } from './unknown-name.ts';

/** What can be a slug or an id, and with a version the reference of a prompt; nothing else is asked for. */
const names = /^[\w-]{1,255}$/;
const references = /^[\w-]{1,255}(?:@[\w-]{1,255})?$/;

const find = async (reader: StoreReader, { kind, name }: Pick<MissingName, 'kind' | 'name'>): Promise<FoundName> => {
  if (!(kind === 'prompts' ? references : names).test(name)) return unknownName([]);
  switch (kind) {
    case 'providers':
    case 'virtualKeys':
      return findProvider(reader, kind, name);
    case 'guardrails':
      return (await import('./find-guardrail.ts')).findGuardrail(reader, name);
    case 'prompts':
      return (await import('./find-prompt.ts')).findPrompt(reader, name);
  }
};

/**
 * The store of the gateway that flags (`profile`, `workspace`), the environment or the default profile name; else of the one
 * that usually runs on this machine. Rejects with a `CommandFailure`, as its methods do.
 */
export const askedStore = async (
  services: Pick<ControlServices, 'env' | 'home'>,
  flags: FlagValues,
): Promise<AskedStore> => {
  const access = await gatewayAccess(services, flags);
  const reader = new StoreReader(access);
  return {
    origin: reader.origin,
    find: (name) => find(reader, name),
    config: (name) => readConfig(reader, name),
    versionsAt: (slug, time) => readVersionsAt(reader, slug, time),
    record: (id) => fetchLog(access, id),
  };
};

/** The same where something names a gateway; undefined where nothing does. */
export const askedStoreIfSet = async (
  services: Pick<ControlServices, 'env' | 'home'>,
  flags: FlagValues,
): Promise<AskedStore | undefined> => ((await isGatewaySet(services, flags)) ? askedStore(services, flags) : undefined);
