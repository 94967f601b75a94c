import type { RawHeaders, Upstream } from '../../../plugins/sdk/http/http.ts';
import { areSendable } from '../../../plugins/sdk/http/sendable-headers.ts';
import type { Credential, Provider } from '../../../plugins/sdk/provider/provider.ts';
import { madeHeaders } from '../../../plugins/sdk/provider/provider-settings.ts';
import type { SavedTls } from '../../../schema/config/saved-tls.ts';
import { credentialHeaders } from '../../../schema/credentials/credential-headers.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { SecretRef } from '../../../schema/plan/plan.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import type { SavedPrices } from '../../../schema/usage/model-price.ts';
import type { UpstreamOptions, Upstreams } from '../../ports/upstreams.ts';
import type { Names } from '../plugins/names.ts';
import type { ForwardedNames, PreparedTarget } from './prepared-target.ts';
import { refuseHost } from './refuse-host.ts';
import { scopeName, toFingerprint } from './state-key.ts';
import { type Translation, translationTo } from './translation.ts';

export interface TargetSpec {
  readonly provider: Provider;
  readonly credential: Credential | null;
  /** If the target has several keys: the keys, and the index of the one that the credential is. */
  readonly pool?: PreparedTarget['pool'];
  readonly settings: JsonObject;
  /** The prices of the saved provider. */
  readonly prices?: SavedPrices | undefined;
  /** Whether the target comes from an operator's file. */
  readonly isOperators: boolean;
  /** Replaces the provider's whole base URL. */
  readonly customHost: string | undefined;
  /** Whether a caller chose the host, or settings in it. There may be any number of such hosts. */
  readonly callerHost: boolean;
  /** Whether a tenant saved what determines the host. */
  readonly tenantHost?: boolean;
  /** The TLS settings of the saved provider's host. Undefined for a caller's host. */
  readonly tls?: SavedTls | undefined;
  /** Resolves the references in `tls`. */
  readonly readTls?: ((ref: SecretRef) => string | undefined) | undefined;
  /** Whether the provider, its settings or its host came with the request, not with the plan. */
  readonly byRequest: boolean;
  /** The host that a caller's own config names. It is checked. */
  readonly namedByCaller?: string | undefined;
  /** Client headers to send upstream: the config's list and the caller's. If the caller has a list, it replaces the config's. */
  readonly forward: { readonly config: readonly string[]; readonly caller: readonly string[] | undefined };
}

export interface TargetWorld {
  readonly names: Names;
  readonly upstreams: Upstreams;
  readonly inProcess: (provider: Provider) => Upstream | undefined;
}

const findBaseUrl = ({ provider, settings, customHost }: TargetSpec): string | undefined => {
  const { baseUrl } = provider;
  return customHost ?? (typeof baseUrl === 'function' ? baseUrl(settings) : baseUrl);
};

const toBaseUrl = (spec: TargetSpec): URL => {
  const { provider } = spec;
  const reject = (reason: string): never => {
    throw gatewayError('missing-base-url', { provider: provider.id, reason });
  };
  if (provider.inProcess !== undefined) return new URL(`in-process://${provider.id}`);
  let url: string | undefined;
  try {
    url = findBaseUrl(spec);
  } catch (error) {
    return reject(toSentence(errorText(error)));
  }
  if (url === undefined) return reject('it has no default address.');
  const base = URL.parse(url);
  if (base?.protocol === 'https:' || base?.protocol === 'http:') return base;
  return reject(`${url} is not a URL that begins with https:// or http://.`);
};

const noNames: ReadonlySet<string> = new Set();

const lowered = (...lists: readonly (readonly string[] | undefined)[]): ReadonlySet<string> => {
  if (lists.every((list) => list === undefined || list.length === 0)) return noNames;
  const names = new Set<string>();
  for (const list of lists) if (list !== undefined) for (const name of list) names.add(name.toLowerCase());
  return names;
};

/** Returns the names of headers to forward. A caller's list replaces that of the config. */
const forwardedNames = ({ provider: { clientHeaders }, forward }: TargetSpec): ForwardedNames => {
  const { caller = [] } = forward;
  const config = caller.length === 0 ? forward.config : [];
  return {
    same: lowered(config, caller, clientHeaders),
    translated: lowered(config, caller),
    passed: lowered(config, clientHeaders),
  };
};

/** Requires a credential only for the provider's own service, because a private host may need none. */
const requireCredential = (
  { provider, credential, customHost, settings }: TargetSpec,
  { translated }: ForwardedNames,
): void => {
  if (provider.credential !== 'required' || customHost !== undefined) return;
  if (provider.usesMachineIdentity?.(settings) === true) return;
  if ([...translated].some((name) => credentialHeaders.has(name))) return;
  const given = credential !== null && Object.values(credential).some((value) => value !== undefined && value !== '');
  if (!given) throw gatewayError('missing-credential', { provider: provider.id });
};

/**
 * The headers of a modelled operation. Answers are requested without a content encoding, so that they can be read and forwarded.
 */
const ownHeaders: RawHeaders = [
  'content-type',
  'application/json',
  'accept',
  'application/json, text/event-stream',
  'accept-encoding',
  'identity',
  'user-agent',
  'gatewright',
];

/**
 * Distinguishes targets that requests choose by everything that may make them fail, because a failure of one says nothing about
 * another.
 */
const chosenOwner = ({ provider, settings, credential, pool }: TargetSpec, base: URL): string =>
  toFingerprint({ provider: provider.id, base: base.href, settings, credential: pool?.keys.fingerprint ?? credential });

/**
 * Throws the `GatewayError`s `missing-credential`, `unsendable-credential`, `missing-base-url` and `host-not-allowed`: this
 * target cannot serve the request, but another might.
 */
export const prepareTarget = (spec: TargetSpec, world: TargetWorld): PreparedTarget => {
  const { names, upstreams, inProcess } = world;
  const forward = forwardedNames(spec);
  requireCredential(spec, forward);
  const { provider, settings, pool, callerHost, tenantHost = false, namedByCaller, tls, readTls } = spec;
  if (namedByCaller !== undefined && provider.inProcess === undefined)
    refuseHost(upstreams, 'custom_host', namedByCaller);
  const base = toBaseUrl(spec);
  // If it has no URL of its own, settings determine the host.
  if (callerHost && spec.customHost === undefined && provider.inProcess === undefined)
    refuseHost(upstreams, 'settings', base.href);
  const origin = `${base.protocol}//${base.host}`;
  const credential = spec.credential ?? {};
  const headers = madeHeaders(provider, credential, settings);
  if (!areSendable(headers)) throw gatewayError('unsendable-credential', { provider: provider.id });
  const own = inProcess(provider);
  const secure = tls === undefined ? {} : { tls, saved: readTls };
  const owned = (operatorHost: boolean): UpstreamOptions =>
    tenantHost ? { operatorHost: false, tenantHost } : { operatorHost };
  const kept = own ?? (callerHost ? undefined : upstreams.open(origin, { ...owned(true), ...secure }));
  const isOperators = !callerHost && spec.isOperators;
  const basePath = base.pathname.replace(/\/+$/, '');
  let translations: Map<string, Translation> | undefined;
  let keyFingerprint: string | undefined;
  let circuit: string | undefined;
  let place: string | undefined;
  let account: string | undefined;
  let scopes: Map<string, string> | undefined;
  return {
    provider,
    credential,
    secrets: pool?.keys.secrets ?? credential,
    ...(pool !== undefined && { pool }),
    settings,
    ...(spec.prices !== undefined && { prices: spec.prices }),
    isOperators,
    otherHosts: owned(isOperators),
    origin,
    isOwnHost: spec.customHost === undefined,
    host: base.host,
    basePath,
    headers,
    forward,
    modelledHeaders: [...ownHeaders, ...headers],
    get fingerprint() {
      return pool?.keys.fingerprint ?? this.keyFingerprint;
    },
    get keyFingerprint() {
      keyFingerprint ??= toFingerprint(tls === undefined ? spec.credential : { credential: spec.credential, tls });
      return keyFingerprint;
    },
    get circuitOwner() {
      circuit ??= spec.byRequest ? chosenOwner(spec, base) : this.fingerprint;
      return circuit;
    },
    get credentialPlace() {
      // With a pool, the headers contain one of its keys.
      const lines = pool === undefined ? { headers } : { settings, pool: pool.keys.fingerprint };
      place ??= toFingerprint({ provider: provider.id, origin, ...lines, ...(tls !== undefined && { tls }) });
      return place;
    },
    get accountScope() {
      if (pool?.keys.areSeveral === true) account ??= scopeName(`${provider.id} ${this.keyFingerprint}`);
      return account;
    },
    stateScope(model) {
      // Items that one account has bound are not requested from another account.
      const fingerprint = pool?.keys.areSeveral === true ? this.keyFingerprint : this.fingerprint;
      const maker = provider.stateScope?.({ fingerprint, model }) ?? `${provider.id} ${fingerprint}`;
      const known = scopes?.get(maker);
      if (known !== undefined) return known;
      const name = scopeName(maker);
      scopes ??= new Map();
      scopes.set(maker, name);
      return name;
    },
    upstream: () => kept ?? upstreams.open(origin, { operatorHost: false }),
    translation(client, model) {
      const spoken = provider.dialectsOf?.(model, settings);
      const key = spoken === undefined ? client.id : `${client.id} ${spoken.join(' ')}`;
      const known = translations?.get(key);
      if (known !== undefined) return known;
      const remember = (translation: Translation): Translation => {
        translations ??= new Map();
        translations.set(key, translation);
        return translation;
      };
      const translation = translationTo(client, { provider, basePath, spoken, names });
      return translation instanceof Promise ? translation.then(remember) : remember(translation);
    },
  };
};
