import type { AskedStore, FoundName, MissingName } from '../../../../schema/config/saved-names.ts';
import { RefusalError } from '../client/ask-gateway.ts';
import { ControlPlane, callApi } from '../client/control-plane.ts';
import { type GatewayAccess, gatewayAccess, isGatewaySet } from '../client/gateway-access.ts';
import { type ControlServices, type FlagValues, failed } from '../command-line/services.ts';
import { printable } from '../show/printable.ts';
import { requireShape } from '../show/show.ts';
import { findProvider } from './find-provider.ts';
import { readConfig, readVersionsAt } from './read-config.ts';
import { StoreReader, unknownName } from './store-reader.ts';

/** Fetches a record of the log as JSON. Throws a `CommandFailure`. */
const fetchLog = async (access: GatewayAccess, id: string): Promise<string> => {
  try {
    const plane = await ControlPlane.find(access);
    const record = await callApi(plane, { method: 'GET', path: `/logs/${encodeURIComponent(id)}` });
    requireShape({ as: 'json' }, record, {});
    return JSON.stringify(record);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    throw failed(printable(error.refusal.message), 'gw logs lists what there is.');
  }
};

/** Texts that can be a slug or an id, or with a version the reference of a prompt; nothing else is asked for. */
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

/** Finds the same store where something names a gateway; undefined where nothing does. */
export const askedStoreIfSet = async (
  services: Pick<ControlServices, 'env' | 'home'>,
  flags: FlagValues,
): Promise<AskedStore | undefined> => ((await isGatewaySet(services, flags)) ? askedStore(services, flags) : undefined);
