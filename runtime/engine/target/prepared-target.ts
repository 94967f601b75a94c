import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { RawHeaders, Upstream } from '../../../plugins/sdk/http/http.ts';
import type { Credential, Provider } from '../../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { KeyPool } from '../../../schema/plan/plan.ts';
import type { SavedPrices } from '../../../schema/usage/model-price.ts';
import type { UpstreamOptions } from '../../ports/upstreams.ts';
import type { Translation } from './translation.ts';

export interface ForwardedNames {
  /** If the client speaks the provider's dialect. */
  readonly same: ReadonlySet<string>;
  /** If the request is translated. */
  readonly translated: ReadonlySet<string>;
  /** If the request is passed through: these override what the target sets itself. Only a config names them. */
  readonly passed: ReadonlySet<string>;
}

/** The keys of a target that has several. */
export interface TargetKeys {
  /** Stands for all of them, also after some were added or taken away. */
  readonly fingerprint: string;
  /** By their places, as the plan has them. */
  readonly keys: KeyPool['keys'];
  /** Whether they are of several accounts. */
  readonly areSeveral: boolean;
  /** All of them, of which no answer may say any. */
  readonly secrets: Credential;
  /** The target as it is called with one of them; prepared on first use. */
  target(key: number): PreparedTarget;
}

/** Everything of a target that does not depend on the body: made at link time, or once for each caller's own. */
export interface PreparedTarget {
  readonly provider: Provider;
  readonly credential: Credential;
  /** Stands for the credential; for all of its keys, where it has several. */
  readonly fingerprint: string;
  /** Stands for what it is called with: the credential, or one of several keys. */
  readonly keyFingerprint: string;
  /** All secrets that it may be called with, of which no answer may say any. */
  readonly secrets: Credential;
  /** Its keys, and the index of the one that this is called with; absent where it has one credential. */
  readonly pool?: { readonly keys: TargetKeys; readonly key: number };
  /** Distinguishes the circuits of one leaf: by the credential, and by the provider, settings and host where a request chooses them. */
  readonly circuitOwner: string;
  /** Names where the credential is used: the provider, its origin, and the header lines that go with it. */
  readonly credentialPlace: string;
  /** Names who can read the bound values of a model's answers: signatures, encrypted reasoning. */
  stateScope(model: string | undefined): string;
  /** Names the account of the key that it is called with; absent where it has no keys of several accounts. */
  readonly accountScope?: string | undefined;
  readonly settings: JsonObject;
  /** The prices of the saved provider; absent if it says nothing. */
  readonly prices?: SavedPrices;
  /** Whether the operator chose all of it: neither the target nor its host came with a request. */
  readonly isOperators: boolean;
  /** How the hosts beside its own are opened that its provider calls for it. */
  readonly otherHosts: UpstreamOptions;
  readonly origin: string;
  /** Whether that is the provider's own, and no `custom_host`. */
  readonly isOwnHost: boolean;
  /** `host[:port]`, for messages. */
  readonly host: string;
  /** The path of the base URL, without a slash at its end. */
  readonly basePath: string;
  /** The header lines with the credential and the provider's other headers. */
  readonly headers: RawHeaders;
  /** The header lines of a modelled operation, including the provider's. */
  readonly modelledHeaders: RawHeaders;
  /** Names, in lower case, of client headers that go upstream. */
  readonly forward: ForwardedNames;
  /** Looked up for each attempt if callers choose hosts, since their pools may be evicted. */
  upstream(): Upstream;
  /**
   * How this target serves a client's dialect; `model` matters only if the provider's dialects depend on it. A promise
   * only until the other dialect is loaded.
   */
  translation(client: Dialect, model?: string): Translation | Promise<Translation>;
}
