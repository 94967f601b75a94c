import type {
  AskedStore,
  FoundName,
  MissingName,
  SavedConfig,
  SavedConfigVersion,
} from '../../../schema/config/saved-names.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../schema/json/loose.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import { suggestName } from '../../../schema/text/closest-name.ts';
import { RefusalError } from './client/ask-gateway.ts';
import { ControlPlane, callApi } from './client/control-plane.ts';
import { type GatewayAccess, gatewayAccess, isGatewaySet } from './client/gateway-access.ts';
import {
  type CommandFailure,
  type ControlServices,
  type FlagValues,
  runFailure,
  usageFailure,
} from './command-line/services.ts';
import { requireShape } from './resources/show.ts';
import { StoreReader, unknownName } from './store-reader.ts';

/** Small pages, because texts of configs are long. A config has at most a thousand versions. */
const pages = { pageSize: 20, maxPages: 50 };
/** How long a gateway takes to see a change at most, in seconds. */
const followingS = 1;
/** A version in service, and its neighbours. */
const maxCandidates = 3;

const toPath = (name: string): string => `/configs/${encodeURIComponent(name)}`;

const notRead = ({ origin }: StoreReader, name: string, why: string): CommandFailure =>
  runFailure(`The config "${name}" could not be read at ${origin}.`, why);

const unknownConfig = async (reader: StoreReader, name: string): Promise<CommandFailure> => {
  const { names } = await reader.unknown('/configs');
  return usageFailure(
    `There is no config "${name}" in the store of ${reader.origin}.`,
    suggestName(
      name,
      names,
      'gw configs list shows the existing ones. Pass a config that a request brought, or that is in the folder "configs" of a gateway file, as a file: gw explain FILE. For a request that named only a provider or a model, write that into the file: {"provider":"@openai"}.',
    ),
  );
};

/** Reads a config by its slug or id, with the version in service. Rejects with a `CommandFailure`. */
const readConfig = async (reader: StoreReader, name: string): Promise<SavedConfig> => {
  const answer = await reader.read(toPath(name));
  if (answer.kind === 'unread') throw notRead(reader, name, answer.why);
  if (answer.kind === 'none') throw await unknownConfig(reader, name);
  const { slug, version, config } = answer.value;
  return {
    slug: findText(slug) ?? name,
    inService: { number: findNumber(version) ?? 0, config: findObject(config) ?? {} },
  };
};

const toVersion = ({ version, config }: JsonObject): SavedConfigVersion => ({
  number: findNumber(version) ?? 0,
  config: parseObject(findText(config) ?? '') ?? {},
});

/** Reads a version of a config by its number. Rejects with a `CommandFailure`. */
const readVersion = async (reader: StoreReader, slug: string, number: number): Promise<SavedConfigVersion> => {
  const isIt = ({ version }: JsonObject): boolean => version === number;
  const listed = await reader.list(`${toPath(slug)}/versions`, { ...pages, isEnough: (items) => items.some(isIt) });
  if (listed.kind === 'unread') throw notRead(reader, slug, listed.why);
  const found = listed.items.find(isIt);
  if (found !== undefined) return toVersion(found);
  const newest = findNumber(listed.items[0]?.version);
  throw usageFailure(
    `The config "${slug}" has no version ${number} in the store of ${reader.origin}.`,
    newest === undefined ? 'gw configs versions shows the existing ones.' : `Its newest version is ${newest}.`,
  );
};

/**
 * Reads the versions of a config that may have been in service at a time (seconds since the epoch), the most likely first.
 * Rejects with a `CommandFailure`.
 */
const readVersionsAt = async (
  reader: StoreReader,
  slug: string,
  time: number,
): Promise<readonly SavedConfigVersion[]> => {
  const toCandidates = (versions: readonly JsonObject[], end: number): readonly JsonObject[] =>
    versions.filter(({ created_at: at }) => (findNumber(at) ?? 0) <= end).slice(0, maxCandidates);
  const isEnough = (versions: readonly JsonObject[]): boolean =>
    toCandidates(versions, time + followingS).length === maxCandidates;
  const listed = await reader.list(`${toPath(slug)}/versions`, { ...pages, isEnough });
  if (listed.kind === 'unread') throw notRead(reader, slug, listed.why);
  const candidates = toCandidates(listed.items, time + followingS);
  return [...new Set([...toCandidates(candidates, time), ...candidates])].map(toVersion);
};

/** Fetches a record of the log as JSON. Throws a `CommandFailure`. */
const fetchLog = async (access: GatewayAccess, id: string): Promise<string> => {
  try {
    const plane = await ControlPlane.find(access);
    const record = await callApi(plane, { method: 'GET', path: `/logs/${encodeURIComponent(id)}` });
    requireShape({ as: 'json' }, record, {});
    return JSON.stringify(record);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const { describeRefusal } = await import('./resources/format-refusal.ts');
    throw runFailure(describeRefusal(error.refusal, access), '');
  }
};

/** Texts that can be a slug or an id, or, with a version, the reference of a prompt. Nothing else is requested. */
const names = /^[\w-]{1,255}$/;
const references = /^[\w-]{1,255}(?:@[\w-]{1,255})?$/;

const find = async (reader: StoreReader, { kind, name }: Pick<MissingName, 'kind' | 'name'>): Promise<FoundName> => {
  if (!(kind === 'prompts' ? references : names).test(name)) return unknownName([]);
  const { findProvider, toSavedGuardrail, toSavedPrompt } = await import('./find-saved.ts');
  if (kind === 'guardrails') return reader.find('/guardrails', name, toSavedGuardrail);
  return kind === 'prompts' ? reader.find('/prompts', name, toSavedPrompt) : findProvider(reader, kind, name);
};

/**
 * Returns the store of the gateway that flags (`profile`, `workspace`), the environment or the default profile name, or else of
 * the gateway at the default address of this machine. Rejects with a `CommandFailure`, and so do its methods.
 */
export const remoteStore = async (
  services: Pick<ControlServices, 'env' | 'home'>,
  flags: FlagValues,
): Promise<AskedStore> => {
  const access = await gatewayAccess(services, flags);
  const reader = new StoreReader(access);
  return {
    origin: reader.origin,
    find: (name) => find(reader, name),
    config: (name) => readConfig(reader, name),
    version: (slug, number) => readVersion(reader, slug, number),
    versionsAt: (slug, time) => readVersionsAt(reader, slug, time),
    record: (id) => fetchLog(access, id),
  };
};

/** Returns the same store if anything names a gateway; undefined otherwise. */
export const remoteStoreIfSet = async (
  services: Pick<ControlServices, 'env' | 'home'>,
  flags: FlagValues,
): Promise<AskedStore | undefined> =>
  (await isGatewaySet(services, flags)) ? remoteStore(services, flags) : undefined;
