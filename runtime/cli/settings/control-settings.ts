import { dirname, resolve } from 'node:path';
import type { SinkEntry } from '../../../plugins/sdk/sink/sink-entry.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { Json } from '../../../schema/json/json.ts';
import type { ControlOptions } from '../services/control-plane.ts';
import type { ReadEnvironment } from './read-environment.ts';
import { isSecretRef, type SecretReader } from './secret-reader.ts';
import { ServeFailure } from './serve-failure.ts';
import type { ServeOptions } from './serve-options.ts';
import { toUrl, type UrlMember } from './url-member.ts';

const resolved = (ref: string, name: string, read: SecretReader): string => {
  const value = isSecretRef(ref) ? read(ref) : ref;
  if (value !== undefined) return value;
  throw new ServeFailure(
    `"store.${name}" in the gateway file refers to ${ref}, which is not set. Set it, or remove "${name}".`,
  );
};

/** At least two characters, because `C:` is a disk. Anything that is not a URL is shown as a path, and URLs contain passwords. */
const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(text);

/** Whether a gateway has a store, wherever that is. */
export const hasStore = ({ store }: ServeOptions, settings: GatewayFile): boolean =>
  (store ?? settings.store) !== undefined;

/**
 * Returns where the store is, according to the command line (relative to the current folder), or else the gateway file (relative
 * to its own folder). Undefined without a store. Throws a `ServeFailure`.
 */
export const findStore = (
  { store }: ServeOptions,
  { settings, file }: Pick<ReadEnvironment, 'settings' | 'file'>,
  { cwd, read }: { readonly cwd: string; readonly read: SecretReader },
): string | undefined => {
  if (store === '') throw new ServeFailure('The flag --store is empty. Set it to a file or a URL, or omit it.');
  if (store !== undefined) return isUrl(store) ? store : resolve(cwd, store);
  if (settings.store === undefined) return undefined;
  if (settings.store.url === undefined)
    throw new ServeFailure(
      '"store" in the gateway file has no "url". Add it, such as "url": "gateway.db", or set the store with --store.',
    );
  const url = resolved(settings.store.url, 'url', read);
  if (url === '')
    throw new ServeFailure(
      `"store.url" in the gateway file refers to ${settings.store.url}, which is empty. Set it to a file or a URL, or remove "store".`,
    );
  return isUrl(url) ? url : resolve(file === undefined ? cwd : dirname(file), url);
};

/** Returns the master key that a gateway file refers to, as text. Undefined if it refers to none. Throws a `ServeFailure`. */
export const findMasterKey = ({ store }: GatewayFile, read: SecretReader): string | undefined =>
  store?.master_key === undefined ? undefined : resolved(store.master_key, 'master_key', read);

/** Returns how to read the master key that a gateway file refers to, if it refers to one. Throws a `ServeFailure`. */
export const masterKeyReader = (settings: GatewayFile, read: SecretReader): Pick<ControlOptions, 'masterKey'> => {
  const text = findMasterKey(settings, read);
  return text === undefined ? {} : { masterKey: () => findMasterKey(settings, read) ?? text };
};

const limitsUrl: UrlMember = { name: 'store.limits.url', what: 'a Redis', protocols: ['redis:', 'rediss:'] };

/** Reads a gateway file's settings for files, with references resolved and absolute paths. Throws a `ServeFailure`. */
const toFiles = ({ settings, file }: ReadEnvironment, read: SecretReader): Pick<ControlOptions, 'files'> => {
  const files = settings.store?.files;
  if (files === undefined) return {};
  const { folder, url, access_key_id, secret_access_key } = files;
  if (folder !== undefined && url !== undefined)
    throw new ServeFailure('"store.files" in the gateway file has both "folder" and "url". Remove one of them.');
  if (url !== undefined && (access_key_id === undefined || secret_access_key === undefined))
    throw new ServeFailure(
      '"store.files.url" in the gateway file also needs "access_key_id" and "secret_access_key". Add them as references.',
    );
  return {
    files: {
      ...files,
      ...(folder === undefined
        ? {}
        : { folder: file === undefined ? resolve(folder) : resolve(dirname(file), folder) }),
      ...(access_key_id === undefined ? {} : { access_key_id: resolved(access_key_id, 'files.access_key_id', read) }),
      ...(secret_access_key === undefined
        ? {}
        : { secret_access_key: resolved(secret_access_key, 'files.secret_access_key', read) }),
    },
  };
};

const unset = (value: Json | undefined, read: SecretReader): readonly string[] => {
  if (typeof value === 'string') return isSecretRef(value) && read(value) === undefined ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((each) => unset(each, read)) : [];
};

/** Returns the sinks of the log and checks that each of their references is set. Throws a `ServeFailure`. */
export const controlSinks = (
  { sinks = [] }: Pick<ReadEnvironment, 'sinks'>,
  read: SecretReader,
): readonly SinkEntry[] => {
  for (const { name, options } of sinks) {
    const [ref] = unset(options, read);
    if (ref !== undefined)
      throw new ServeFailure(
        `The sink "${name}" in "log.sinks" of the gateway file refers to ${ref}, which is not set. Set it, or remove the sink.`,
      );
  }
  return sinks;
};

/** Picks the settings for the connections of the sinks' thread. Empty if there are none. */
export const toSinkEgress = ({ proxy, trusted_authorities }: GatewayFile): Pick<ControlOptions, 'egress'> =>
  proxy === undefined && trusted_authorities === undefined
    ? {}
    : {
        egress: {
          ...(proxy === undefined ? {} : { proxy }),
          ...(trusted_authorities === undefined ? {} : { trusted_authorities }),
        },
      };

/** Throws a `ServeFailure` for sinks without a store, because records belong to requests of callers that a store knows. */
export const refuseSinksAlone = ({ sinks = [] }: ReadEnvironment, store: string | undefined): void => {
  if (sinks.length > 0 && store === undefined)
    throw new ServeFailure(
      '"log.sinks" in the gateway file needs a store, because the log records only requests whose callers the store knows. Serve with a store (--store), or remove "sinks".',
    );
};

/** Collects the gateway file's settings for the control plane. Throws a `ServeFailure`. */
export const controlSettings = (
  environment: ReadEnvironment,
  read: SecretReader,
): Pick<
  ControlOptions,
  | 'environment'
  | 'masterKey'
  | 'staleAuthMs'
  | 'limitsUrl'
  | 'ledger'
  | 'auditKeepDays'
  | 'files'
  | 'log'
  | 'sinks'
  | 'secrets'
> => {
  const { store, log } = environment.settings;
  return {
    environment,
    secrets: read,
    ...(store?.stale_auth_ms === undefined ? {} : { staleAuthMs: store.stale_auth_ms }),
    ...(store?.limits === undefined ? {} : { limitsUrl: toUrl(store.limits.url, read, limitsUrl) }),
    ...(log === undefined ? {} : { log }),
    ...((environment.sinks ?? []).length === 0 ? {} : { sinks: controlSinks(environment, read) }),
    ...(store?.ledger === undefined ? {} : { ledger: store.ledger }),
    ...(store?.audit?.keep_days === undefined ? {} : { auditKeepDays: store.audit.keep_days }),
    ...toFiles(environment, read),
    ...masterKeyReader(environment.settings, read),
  };
};
