import type { HostError } from '../../plugins/sdk/http/host-error.ts';
import type { Upstream } from '../../plugins/sdk/http/http.ts';
import type { SavedTls } from '../../schema/config/saved-tls.ts';
import type { SecretRef } from '../../schema/plan/plan.ts';

export interface UpstreamOptions {
  /**
   * Whether the operator chose this host. If so, its connections are kept. The number of connections to callers' hosts is
   * limited.
   */
  readonly operatorHost: boolean;
  /** Whether a tenant saved what leads to this host. The number of its connections is limited too, separately from callers'. */
  readonly tenantHost?: boolean | undefined;
  /** The TLS settings of a host that an operator or a tenant chose. Connections are shared only with the same settings. */
  readonly tls?: SavedTls | undefined;
  /**
   * Reads a tenant's saved values for these settings. Undefined for what cannot be opened. The operator's references are followed
   * without it.
   */
  readonly saved?: ((ref: SecretRef) => string | undefined) | undefined;
}

/** Sends requests to other machines. Nothing else opens a connection. */
export interface Upstreams {
  /** `origin` is `https://host[:port]` or `http://host[:port]`. The same origin shares its connections. */
  open(origin: string, options: UpstreamOptions): Upstream;
  /**
   * Returns the service that provides the identity of the operator's machine, at an address that no other request may be sent to.
   * Requests for anything except a token fail. If the method is absent, there is none.
   */
  identityService?(): Upstream;
  /**
   * Returns why callers may not send requests to this base URL, judging by its text. `undefined` if they may. If the method is
   * absent, they may name any URL.
   */
  findHostError?(baseUrl: string): HostError | undefined;
  close(): Promise<void>;
}
