import { isSendableSecret, unsendableReason } from '../../../plugins/sdk/http/sendable-headers.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import { isLoopback } from '../../../schema/http/is-loopback.ts';
import { toTrustedHosts } from '../../../schema/http/is-trusted.ts';
import type { ServiceKey } from '../../access/service-keys.ts';
import { isSecretRef, type SecretReader } from './secret-reader.ts';
import { ServeFailure } from './serve-failure.ts';

/** A key of two tenants would belong to the one that is found first. */
const refuseShared = (keys: readonly ServiceKey[]): void => {
  const seen = new Map<string, ServiceKey>();
  for (const service of keys) {
    const other = seen.get(service.key);
    if (other !== undefined && (other.tenant ?? other.id) !== (service.tenant ?? service.id))
      throw new ServeFailure(
        `The service keys "${other.id}" and "${service.id}" have the same value, but belong to different tenants. Give each its own value.`,
      );
    seen.set(service.key, service);
  }
};

/**
 * Returns the gateway file's keys with references resolved. Throws a `ServeFailure` that lists all missing ones, or names one that
 * no client can send, or two equal keys of different tenants.
 */
export const toServiceKeys = ({ auth }: GatewayFile, read: SecretReader): readonly ServiceKey[] => {
  const missing: string[] = [];
  const keys: ServiceKey[] = [];
  for (const { id, key: ref, tenant, priority } of auth?.keys ?? []) {
    const key = isSecretRef(ref) ? read(ref) : undefined;
    if (key === undefined) missing.push(`"${id}" (${ref})`);
    else if (!isSendableSecret(key))
      throw new ServeFailure(
        `The service key "${id}" (${ref}) cannot be sent in a header: ${unsendableReason}. Copy the key again.`,
      );
    else
      keys.push({
        ...{ id, key },
        ...(tenant === undefined ? {} : { tenant }),
        ...(priority === undefined ? {} : { priority }),
      });
  }
  if (missing.length === 0) {
    refuseShared(keys);
    return keys;
  }
  throw new ServeFailure(
    `These service keys have no value: ${missing.join(', ')}. Set the variables or files that they refer to.`,
  );
};

/** Whether callers of `gw serve` need a service key: the gateway file has some, or there is a store. */
export const needsKey = ({ auth }: GatewayFile, hasStore: boolean): boolean =>
  hasStore || (auth?.keys ?? []).length > 0;

/** Returns two sentences that callers with keys of the gateway file are unknown to the store, or nothing if there are none. */
export const uncountedKeys = ({ auth }: GatewayFile, hasStore: boolean): readonly string[] =>
  hasStore && (auth?.keys ?? []).length > 0
    ? [
        'The store does not log or report requests with the keys of "auth", and its policies do not count them. For clients that should be counted, create keys in the store: gw keys create.',
      ]
    : [];

/** Returns the hosts that may be private for requests that `gw serve` sends. */
export const servedTrustedHosts = (
  settings: GatewayFile,
  {
    env,
    host,
    hasStore,
  }: {
    readonly env: Readonly<Record<string, string | undefined>>;
    /** The host that the gateway listens on. */
    readonly host: string;
    readonly hasStore: boolean;
  },
): readonly string[] =>
  toTrustedHosts(env.GW_TRUSTED_HOSTS, settings, isLoopback(host) && !needsKey(settings, hasStore));

/**
 * Checks that without service keys only this machine may call, unless the operator allows all callers. Throws a `ServeFailure`.
 */
export const checkExposure = (host: string, open: boolean, hasKeys: boolean): void => {
  if (hasKeys || open || isLoopback(host)) return;
  throw new ServeFailure(
    `Without service keys, the gateway listens on loopback only, and ${host} is not loopback. List keys under auth.keys of the gateway file, serve with a store (--store), or allow all callers: gw serve --open`,
  );
};
