import type { RawHeaders, Upstream } from '../../../plugins/sdk/http.ts';
import type { Credential, Provider } from '../../../plugins/sdk/provider.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { Translation } from './translation.ts';

export interface ForwardedNames {
  /** Where the client speaks the provider's dialect. */
  readonly same: ReadonlySet<string>;
  /** Where the request is translated. */
  readonly translated: ReadonlySet<string>;
  /** Where the request is passed through: these win over what the target sets itself. Only a config names them. */
  readonly passed: ReadonlySet<string>;
}

/** All of a target that is known before its body is: made at link time, or once for each caller's own. */
export interface PreparedTarget {
  readonly provider: Provider;
  readonly credential: Credential;
  /** Tells the circuits of different credentials apart. */
  readonly fingerprint: string;
  readonly settings: JsonObject;
  readonly origin: string;
  /** `host[:port]`, for messages. */
  readonly host: string;
  /** The path of the base URL, without a slash at its end. */
  readonly basePath: string;
  /** The header lines that carry the credential and whatever else the provider wants. */
  readonly headers: RawHeaders;
  /** The header lines of a modelled operation, the provider's among them. */
  readonly modelledHeaders: RawHeaders;
  /** Names, in lower case, of client headers that go upstream. */
  readonly forward: ForwardedNames;
  /** Looked up for each attempt where callers choose hosts, since the pools of those come and go. */
  upstream(): Upstream;
  /** How this target serves a client's dialect. */
  translation(dialect: string): Translation;
}
