import type { CallerOverrides, Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Credential, Provider } from '../../../plugins/sdk/provider/provider.ts';
import { fillSettings } from '../../../plugins/sdk/provider/provider-settings.ts';
import { GatewayError, gatewayError } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { poolName } from '../../../schema/plan/hash-plan.ts';
import { credentialSecrets, isSavedRef, type KeyPool, type SecretRef, type Target } from '../../../schema/plan/plan.ts';
import { tlsReferences } from '../../../schema/plan/target-settings.ts';
import { toSavedPrices } from '../../../schema/usage/model-price.ts';
import type { Upstreams } from '../../ports/upstreams.ts';
import type { Names } from '../plugins/names.ts';
import { choosesDestination } from './chooses-destination.ts';
import { prepareTarget, type TargetSpec } from './prepare-target.ts';
import type { PreparedTarget, TargetKeys } from './prepared-target.ts';
import type { PreparedTargets } from './prepared-targets.ts';
import { secretOwner } from './secret-owner.ts';
import { toFingerprint } from './state-key.ts';
import { type CredentialSources, isKnownAtLink, secretText, toCredential } from './to-credential.ts';

/** The context that the targets of a plan are prepared with. */
export interface TargetContext {
  readonly ports: { readonly upstreams: Upstreams };
  readonly names: Names;
  readonly secrets: (ref: SecretRef) => string | undefined;
  readonly prepared: PreparedTargets;
  /** Whether the plan came with a request, so that its hosts are the caller's. */
  readonly callerPlan: boolean;
  /** Returns a hint for the name of an unknown provider. */
  readonly suggestProvider: (name: string) => string;
}

/** The context in which the targets of a plan are linked. */
export interface LinkTargetContext extends TargetContext {
  /**
   * Whether the plan was linked before with other secrets. If so, an unsendable secret is an error of requests, not of the plan.
   */
  readonly isRelinked: boolean;
}

/** Returns a leaf's target for a request. Throws the `GatewayError` that explains why there is none. */
export type TargetResolver = (exchange: Exchange) => PreparedTarget;

const nothing = {};

const toProvider = (target: Target, overrides: CallerOverrides, context: TargetContext): Provider => {
  if (target.from.kind === 'prompt') throw gatewayError('unknown-prompt', { prompt: target.from.promptId });
  const id = target.from.kind === 'request' ? overrides.provider : target.from.provider;
  if (id === undefined)
    throw gatewayError('missing-provider', {
      suggestion: 'Send x-gw-provider with Authorization, or name a provider in the config.',
    });
  const provider = context.names.provider(id);
  if (provider === undefined)
    throw gatewayError('unknown-provider', { provider: id, suggestion: context.suggestProvider(id) });
  return provider;
};

/** Returns the settings of a target, with its provider's defaults. */
const toSettings = (target: Target, provider: Provider, overrides: CallerOverrides): JsonObject => {
  const given = target.from.kind === 'request' ? { ...target.settings, ...overrides.settings } : target.settings;
  const found = fillSettings(provider, given);
  if (found.kind === 'filled') return found.settings;
  throw gatewayError('invalid-settings', { provider: provider.id, reason: found.errors.join(' ') });
};

/** The values that come with a request. */
interface RequestValues {
  readonly overrides: CallerOverrides;
  readonly slots: readonly string[];
}

/**
 * Returns who saved what a saved provider is called with, and so chose its host: the compiler allows only the operator to name
 * other things beside it. Undefined if it is called with nothing saved.
 */
const savedBy = ({ from, credential, tls }: Target): 'operator' | 'tenant' | undefined => {
  if (from.kind !== 'saved') return undefined;
  const ofTls = tlsReferences
    .flatMap((member) => tls?.[member] ?? [])
    .map((ref) => (isSavedRef(ref) ? 'saved' : 'file'));
  const owners = [...credentialSecrets(credential).map(secretOwner), ...ofTls];
  if (tls === undefined && owners.every((owner) => owner === 'caller')) return undefined;
  return owners.includes('file') && !owners.includes('saved') ? 'operator' : 'tenant';
};

/** Returns the target for a request: the plan's values, overridden by the caller's. */
const toSpec = (target: Target, context: TargetContext, { overrides, slots }: RequestValues): TargetSpec => {
  const provider = toProvider(target, overrides, context);
  const byRequest = target.from.kind === 'request';
  const planHost = target.upstream.kind === 'custom' ? target.upstream.baseUrl : undefined;
  const saver = savedBy(target);
  const isOwnHost = planHost === undefined && typeof provider.baseUrl === 'string';
  const callerHost =
    overrides.customHost !== undefined || ((context.callerPlan || byRequest) && saver === undefined && !isOwnHost);
  return {
    provider,
    credential: toCredential(target.credential, { provider, overrides, slots, secrets: context.secrets }),
    isOperators: !byRequest && (target.from.kind === 'saved' || !context.callerPlan),
    settings: toSettings(target, provider, overrides),
    prices: target.prices === undefined ? undefined : toSavedPrices(target.prices),
    customHost: overrides.customHost ?? planHost,
    callerHost,
    tenantHost: context.callerPlan && !callerHost && saver === 'tenant' && (!isOwnHost || target.tls !== undefined),
    tls: callerHost ? undefined : target.tls,
    readTls: context.secrets,
    byRequest: byRequest || overrides.customHost !== undefined,
    // A saved provider's host is the operator's choice, and a header's host was checked before there was a plan.
    namedByCaller:
      context.callerPlan && target.from.kind !== 'saved' && overrides.customHost === undefined ? planHost : undefined,
    forward: { config: target.headers.forward, caller: overrides.forwardHeaders },
  };
};

/** Returns the cache key: everything that a request can add to a target. */
const toKey = (target: string, { overrides, secrets }: Exchange): string =>
  target +
  JSON.stringify([
    overrides.provider,
    overrides.credential,
    overrides.customHost,
    overrides.forwardHeaders,
    overrides.settings,
    secrets,
  ]);

/** Returns the credential with a single key. */
const toKeyCredential = (apiKey: string | undefined): Credential => ({ api_key: apiKey });

/**
 * Returns the identity of a pool's keys. A key written in the config itself is identified by its value, because another config
 * may have another value in its place.
 */
const poolFingerprint = (target: Target, pool: KeyPool, first: string | undefined): string =>
  toFingerprint(pool.keys[0].apiKey.kind === 'slot' ? toKeyCredential(first) : { pool: poolName(target, pool) });

/** Reads the keys of a target. `prepare` prepares the target with one of them. */
const readKeys = (
  target: Target,
  { pool, sources }: { readonly pool: KeyPool; readonly sources: CredentialSources },
  prepare: (key: number, credential: Credential, keys: TargetKeys) => PreparedTarget,
): TargetKeys => {
  const values = pool.keys.map(({ apiKey }) => secretText(apiKey, sources));
  const prepared: PreparedTarget[] = [];
  const keys: TargetKeys = {
    fingerprint: poolFingerprint(target, pool, values[0]),
    keys: pool.keys,
    areSeveral: pool.accounts === 'several',
    secrets: Object.fromEntries(values.entries()),
    target(key) {
      const known = prepared[key];
      if (known !== undefined) return known;
      const made = prepare(key, toKeyCredential(values[key]), keys);
      prepared[key] = made;
      return made;
    },
  };
  return keys;
};

/** Returns the index of the key for items that a provider keeps, if the keys belong to several accounts: the first key in use. */
export const firstUsedKey = ({ keys }: Pick<TargetKeys, 'keys'>): number =>
  Math.max(
    0,
    keys.findIndex(({ weight }) => weight > 0),
  );

/** Prepares a target for a request. A target with several keys is prepared with the first key in use. */
const prepareFor = (target: Target, context: TargetContext, values: RequestValues): PreparedTarget => {
  const spec = toSpec(target, context, values);
  const world = toWorld(context);
  if (target.credential?.kind !== 'keys') return prepareTarget(spec, world);
  const sources = { ...values, provider: spec.provider, secrets: context.secrets };
  const given = { pool: target.credential, sources };
  const keys = readKeys(target, given, (key, credential, all) =>
    prepareTarget({ ...spec, credential, pool: { keys: all, key } }, world),
  );
  return keys.target(firstUsedKey(keys));
};

const toWorld = ({ names, ports, prepared }: TargetContext): Parameters<typeof prepareTarget>[1] => ({
  names,
  upstreams: ports.upstreams,
  inProcess: prepared.inProcess,
});

/**
 * Prepares a target to which no request adds anything. `slots` are the secrets in the config itself. Throws the `GatewayError`
 * that explains why the target cannot be called.
 */
export const prepareOwn = (target: Target, context: TargetContext, slots: readonly string[] = []): PreparedTarget =>
  prepareFor(target, context, { overrides: nothing, slots });

/**
 * Prepares a target whose parts are all known now. A curable failure is thrown per request, except for a credential that can
 * never be sent.
 */
const prepareNow = (target: Target, context: LinkTargetContext): (() => PreparedTarget) => {
  try {
    const ready = prepareOwn(target, context);
    return () => ready;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.report.code === 'unsendable-credential' && !context.isRelinked) throw error;
    return () => {
      throw error;
    };
  }
};

/** Like `prepareNow`, but on first use, for a caller's own plan: most of its targets are never called. */
const prepareOnce = (target: Target, context: TargetContext): (() => PreparedTarget) => {
  let ready: PreparedTarget | undefined;
  return () => {
    ready ??= prepareOwn(target, context);
    return ready;
  };
};

/**
 * Prepares immediately what does not depend on a request, unless the plan itself came with one. Everything else is prepared on
 * first use and cached: the most recent target directly, because requests with one config bring the same secrets, and the others
 * in a bounded cache.
 */
export const linkTarget = (target: Target, context: LinkTargetContext): TargetResolver => {
  const prefix = context.prepared.ownPrefix();
  const prepare = (exchange: Exchange): PreparedTarget =>
    context.prepared.get(toKey(prefix, exchange), () =>
      prepareFor(target, context, { overrides: exchange.overrides, slots: exchange.secrets }),
    );
  if (target.from.kind === 'request' || target.credential?.kind === 'request') return prepare;
  if (isKnownAtLink(target.credential)) {
    const ready = context.callerPlan ? prepareOnce(target, context) : prepareNow(target, context);
    return (exchange) => (choosesDestination(exchange.overrides) ? prepare(exchange) : ready());
  }
  let last: { readonly slots: readonly string[]; readonly prepared: PreparedTarget } | undefined;
  return (exchange) => {
    if (choosesDestination(exchange.overrides)) return prepare(exchange);
    if (last?.slots !== exchange.secrets) last = { slots: exchange.secrets, prepared: prepare(exchange) };
    return last.prepared;
  };
};
