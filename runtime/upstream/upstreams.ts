import type { LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { buildConnector } from 'undici';
import { maxQueuedClaims } from '../../plugins/sdk/fairness/fair-pool.ts';
import type { ConnectTo } from '../../plugins/sdk/http/connect-to.ts';
import type { HostError } from '../../plugins/sdk/http/host-error.ts';
import type { Upstream, UpstreamFailure } from '../../plugins/sdk/http/http.ts';
import type { SavedTls } from '../../schema/config/saved-tls.ts';
import { errorReport } from '../../schema/errors/errors.ts';
import { canonicalJson, hashValue } from '../../schema/json/canonical.ts';
import { isSavedRef, type SecretRef } from '../../schema/plan/plan.ts';
import { tlsReferences } from '../../schema/plan/target-settings.ts';
import { systemClock } from '../in-memory/system-clock.ts';
import type { Clock } from '../ports/clock.ts';
import type { UpstreamOptions } from '../ports/upstreams.ts';
import { checkHost } from './check-host.ts';
import { createEgress, type EgressOptions, type FollowedTls, type OutboundProxy, type TlsValues } from './egress.ts';
import { asksForIdentity, identityOrigin as azureIdentityOrigin } from './identity-service.ts';
import { createOriginPool, type OriginPool, type PoolLimits } from './origin-pool.ts';

/** All connections of a gateway, with a pool per origin. */
export interface Upstreams {
  /**
   * Returns the upstream for an origin (`https://host[:port]`). Pools for an operator's hosts are kept. Those for callers' hosts,
   * and for hosts that tenants have saved, are limited in number, and the least recently used one is evicted.
   */
  open(origin: string, options: UpstreamOptions): Upstream;
  /** Returns the service of `identity-service.ts`, without the check of its address. Only token requests are sent to it. */
  identityService(): Upstream;
  /** Returns why callers may not send requests to this base URL, judging by its text. */
  findHostError(baseUrl: string): HostError | undefined;
  /** Opens connections to the host of an origin that the operator names. Its address is not checked. */
  connector(origin: string): ConnectTo;
  /** Closes all connections. Running requests fail. */
  close(): Promise<void>;
}

export interface UpstreamsOptions {
  /** Hosts that may resolve to private addresses: `host`, `host:port`, `*.domain`, or addresses. */
  readonly trustedHosts: readonly string[];
  /**
   * Connections per origin for one tenant. Default: 8,192, because each open stream holds one. All tenants together have four
   * times as many.
   */
  readonly connections?: number;
  /** How many requests of one tenant per origin may wait for a connection. Default: 1,000. */
  readonly queue?: number;
  /** How many milliseconds such a request may wait. Default: 10 s. */
  readonly queueMs?: number;
  /** After how many milliseconds a connection is renewed. Default: 5 min. */
  readonly maxAgeMs?: number;
  /** The time-out for connecting, in milliseconds. Default: 10 s. */
  readonly connectMs?: number;
  /** The number of pools for hosts that callers choose. Default: 256. */
  readonly callerPools?: number;
  /** The number of pools for hosts that tenants have saved, each with its TLS settings. Default: 1,000. */
  readonly tenantPools?: number;
  readonly clock?: Pick<Clock, 'after' | 'monotonic'>;
  /** Resolves names. Default: the system's resolver. */
  readonly lookup?: LookupFunction;
  /** Another origin of the identity service, for tests. */
  readonly identityOrigin?: string;
  /** Resolves references in TLS settings. If absent, no reference has a value. */
  readonly secrets?: (ref: SecretRef) => string | undefined;
  /** The egress rules of the gateway file. If absent, all hosts are connected to directly, with Node's authorities. */
  readonly egress?: EgressRules | undefined;
  /** Notifies the operator with one line. */
  readonly log?: (text: string) => void;
}

/** The rules for the connections to all hosts. */
export interface EgressRules {
  readonly proxy?: OutboundProxy;
  /** Reads the authorities that are trusted in addition to Node's. Throws an `Error` whose message is a sentence. */
  readonly extraCa?: () => string;
}

const refusedByEgress = (origin: string): UpstreamFailure => {
  const { host, hostname } = new URL(origin);
  return { kind: 'failure', error: errorReport('address-not-allowed', { host, address: hostname }) };
};

const tenants = { isTenants: true };

/** Reads TLS values: the saved ones, or else those that apply to all hosts. */
const readTls = (
  { ca, cert, key, passphrase }: SavedTls,
  { egress, secrets }: { readonly egress: EgressRules | undefined; readonly secrets: UpstreamsOptions['secrets'] },
): TlsValues => {
  const read = (ref: string | undefined): string | undefined => {
    if (ref === undefined) return undefined;
    // The schema of the gateway file has checked that it is a reference.
    const value = secrets?.(ref as SecretRef);
    if (value === undefined)
      throw new Error(isSavedRef(ref) ? 'Its saved value cannot be decrypted.' : `${ref} has no value.`);
    return value;
  };
  return {
    ca: read(ca),
    extraCa: ca === undefined ? egress?.extraCa?.() : undefined,
    cert: read(cert),
    key: read(key),
    passphrase: read(passphrase),
  };
};

/** Returns the TLS settings for connections to a host. Undefined if they are Node's. */
export const followTls = (
  saved: SavedTls | undefined,
  sources: Parameters<typeof readTls>[1],
): Pick<FollowedTls, 'read' | 'serverName'> | undefined =>
  saved === undefined && sources.egress?.extraCa === undefined
    ? undefined
    : { read: () => readTls(saved ?? {}, sources), serverName: saved?.server_name };

export const createUpstreams = ({
  trustedHosts,
  connections = 8192,
  queue = maxQueuedClaims,
  queueMs = 10_000,
  maxAgeMs = 300_000,
  connectMs = 10_000,
  callerPools = 256,
  tenantPools = 1000,
  clock = systemClock,
  lookup,
  identityOrigin = azureIdentityOrigin,
  secrets,
  egress,
  log,
}: UpstreamsOptions): Upstreams => {
  const limits: PoolLimits = { connections, queue, queueMs, maxAgeMs };
  const createConnector = (
    owner: Pick<EgressOptions, 'isCallers' | 'isTenants'>,
    host: string,
    saved?: { readonly tls: SavedTls; readonly read: UpstreamsOptions['secrets'] },
  ): buildConnector.connector => {
    const tls = followTls(saved?.tls, { egress, secrets: saved?.read });
    const onUnusable = (reason: string): void =>
      log?.(`The new TLS settings for ${host} cannot be used, so the previous ones stay in use. ${reason}`);
    return createEgress({
      ...{ trustedHosts, connectMs, ...owner, proxy: egress?.proxy, tls: tls && { ...tls, onUnusable } },
      ...(lookup === undefined ? {} : { lookup }),
    });
  };
  const connect = createConnector({}, 'all hosts');
  const connectCallers = createConnector({ isCallers: true }, 'all hosts');
  const connectTenants = createConnector(tenants, 'all hosts');
  const kept = new Map<string, OriginPool>();
  const createPassing = (max: number): LRUCache<string, OriginPool> =>
    new LRUCache({
      max,
      dispose: (pool, _origin, reason) => {
        if (reason === 'evict') pool.retire();
      },
    });
  const passing = createPassing(callerPools);
  const ofTenants = createPassing(tenantPools);

  const createIdentityPool = (): OriginPool => {
    const connectHere = createEgress({ trustedHosts: [new URL(identityOrigin).host], connectMs });
    return createOriginPool({ origin: identityOrigin, limits, connect: connectHere, clock });
  };
  let identityPool: OriginPool | undefined;

  const toPool = (origin: string, operatorHost: boolean): OriginPool => {
    // Without a proxy, callers reach an operator's host in the same way as the operator.
    const shared = operatorHost || egress?.proxy === undefined ? kept.get(origin) : undefined;
    const found = shared ?? (operatorHost ? undefined : passing.get(origin));
    if (found !== undefined) return found;
    const pool = createOriginPool({ origin, limits, connect: operatorHost ? connect : connectCallers, clock });
    (operatorHost ? kept : passing).set(origin, pool);
    return pool;
  };

  /** Returns the pool shared by those with the same TLS settings. Its name cannot clash, because no origin contains a space. */
  const toTlsPool = (origin: string, saved: SavedTls): OriginPool => {
    const name = `${origin} ${canonicalJson(saved)}`;
    const found = kept.get(name);
    if (found !== undefined) return found;
    const own = createConnector({}, new URL(origin).host, { tls: saved, read: secrets });
    const pool = createOriginPool({ origin, limits, connect: own, clock });
    kept.set(name, pool);
    return pool;
  };

  /**
   * Returns the pool shared by those who have saved the same host with the same TLS settings. A tenant's saved values are not
   * followed: new values get a new pool, as a new record does. Without TLS settings, an operator's pool serves all.
   */
  const openTenants = (origin: string, { tls, saved: read }: Pick<UpstreamOptions, 'tls' | 'saved'>): Upstream => {
    // The name contains the values, so it is created once for all requests.
    const values = tlsReferences.map((member) => tls?.[member] && (read?.(tls[member] as SecretRef) ?? null));
    const name = tls === undefined ? origin : `${origin} ${hashValue([tls, values])}`;
    const connectHere = (): buildConnector.connector =>
      tls === undefined ? connectTenants : createConnector(tenants, new URL(origin).host, { tls, read });
    const toOwnPool = (): OriginPool => {
      const found = (tls === undefined ? kept.get(origin) : undefined) ?? ofTenants.get(name);
      if (found !== undefined) return found;
      const pool = createOriginPool({ origin, limits, connect: connectHere(), clock });
      ofTenants.set(name, pool);
      return pool;
    };
    return { send: (request, scope) => toOwnPool().send(request, scope) };
  };

  return {
    open: (origin, { operatorHost, tenantHost = false, tls, saved }) => {
      if (tenantHost) return openTenants(origin, { tls, saved });
      if (operatorHost) return tls === undefined ? toPool(origin, true) : toTlsPool(origin, tls);
      // Looked up for each request, because the pool may have been evicted in between.
      return { send: (request, scope) => toPool(origin, false).send(request, scope) };
    },
    identityService: () => ({
      send: async (request, scope) => {
        if (!asksForIdentity(request)) return refusedByEgress(identityOrigin);
        identityPool ??= createIdentityPool();
        return await identityPool.send(request, scope);
      },
    }),
    connector: (origin) =>
      createEgress({
        ...{ trustedHosts: [new URL(origin).host], connectMs, proxy: egress?.proxy },
        tls: followTls(undefined, { egress, secrets }),
        ...(lookup === undefined ? {} : { lookup }),
      }),
    findHostError: (baseUrl) => checkHost(baseUrl, trustedHosts, egress?.proxy?.covers),
    close: async () => {
      const all = [...kept.values(), ...passing.values(), ...ofTenants.values()];
      const pools = [...all, ...(identityPool === undefined ? [] : [identityPool])];
      kept.clear();
      passing.clear();
      ofTenants.clear();
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
};
