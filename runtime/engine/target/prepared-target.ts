import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { RawHeaders, Upstream } from '../../../plugins/sdk/http/http.ts';
import type { Credential, Provider } from '../../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { KeyPool } from '../../../schema/plan/plan.ts';
import type { SavedPrices } from '../../../schema/usage/model-price.ts';
import type { UpstreamOptions } from '../../ports/upstreams.ts';
import type { Translation } from './translation.ts';

export interface ForwardedNames {
  /** Used if the client speaks the provider's dialect. */
  readonly same: ReadonlySet<string>;
  /** Used if the request is translated. */
  readonly translated: ReadonlySet<string>;
  /** Used if the request is passed through. These override what the target sets itself. Only a config names them. */
  readonly passed: ReadonlySet<string>;
}

/** The keys of a target that has several. */
export interface TargetKeys {
  /** Identifies all of them together. Stays the same when keys are added or removed. */
  readonly fingerprint: string;
  /** In the plan's order. */
  readonly keys: KeyPool['keys'];
  /** Whether they belong to several accounts. */
  readonly areSeveral: boolean;
  /** All of the keys. No answer may contain any of them. */
  readonly secrets: Credential;
  /** Returns the target as it is called with one of the keys. Prepared on first use. */
  target(key: number): PreparedTarget;
}

/** Everything of a target that does not depend on the body. Created at link time, or once for each caller's own target. */
export interface PreparedTarget {
  readonly provider: Provider;
  readonly credential: Credential;
  /** Identifies the credential, or all of its keys if it has several. */
  readonly fingerprint: string;
  /** Identifies what the target is called with: the credential, or one of several keys. */
  readonly keyFingerprint: string;
  /** All secrets that the target may be called with. No answer may contain any of them. */
  readonly secrets: Credential;
  /** Its keys, and the index of the one that this target is called with. Absent if there is a single credential. */
  readonly pool?: { readonly keys: TargetKeys; readonly key: number };
  /**
   * Distinguishes the circuits of one leaf: by the credential, and by the provider, settings and host if a request chooses them.
   */
  readonly circuitOwner: string;
  /** Identifies where the credential is used: the provider, its origin, and the header lines sent with it. */
  readonly credentialPlace: string;
  /** Identifies who can read the bound values of a model's answers (signatures, encrypted reasoning). */
  stateScope(model: string | undefined): string;
  /** Identifies the account of the key in use. Absent unless its keys belong to several accounts. */
  readonly accountScope?: string | undefined;
  readonly settings: JsonObject;
  /** The prices of the saved provider. Absent if it has none. */
  readonly prices?: SavedPrices;
  /** Whether the operator chose all of it: neither the target nor its host came with a request. */
  readonly isOperators: boolean;
  /** How to open other hosts that its provider calls for it. */
  readonly otherHosts: UpstreamOptions;
  readonly origin: string;
  /** Whether that is the provider's own origin, not a `custom_host`. */
  readonly isOwnHost: boolean;
  /** `host[:port]`, for messages. */
  readonly host: string;
  /** The path of the base URL, without a trailing slash. */
  readonly basePath: string;
  /** The header lines with the credential and the provider's other headers. */
  readonly headers: RawHeaders;
  /** The header lines of a modelled operation, including the provider's. */
  readonly modelledHeaders: RawHeaders;
  /** Names, in lower case, of client headers that are sent upstream. */
  readonly forward: ForwardedNames;
  /** Looked up for each attempt if callers choose hosts, because their connection pools may be evicted. */
  upstream(): Upstream;
  /**
   * Returns how this target serves a client's dialect. `model` matters only if the provider's dialects depend on it. A promise
   * only until the other dialect is loaded.
   */
  translation(client: Dialect, model?: string): Translation | Promise<Translation>;
}
