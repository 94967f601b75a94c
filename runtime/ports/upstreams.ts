import type { HostError } from '../../plugins/sdk/http/host-error.ts';
import type { Upstream } from '../../plugins/sdk/http/http.ts';
import type { SavedTls } from '../../schema/config/saved-tls.ts';
import type { SecretRef } from '../../schema/plan/plan.ts';

export interface UpstreamOptions {
  /** Whether the operator chose this host: its connections are kept. Those of callers' hosts are bounded in number. */
  readonly operatorHost: boolean;
  /** Whether a tenant has saved what leads to this host: its connections are bounded in number too, apart from those of callers. */
  readonly tenantHost?: boolean | undefined;
  /** The TLS of a host that an operator or a tenant chose; connections are shared only by those who have the same. */
  readonly tls?: SavedTls | undefined;
  /** Reads what a tenant has saved of that; undefined for what cannot be opened. The operator's references are followed without it. */
  readonly saved?: ((ref: SecretRef) => string | undefined) | undefined;
}

/** Sends requests to other machines. Nothing else opens a connection. */
export interface Upstreams {
  /** `origin` is `https://host[:port]` or `http://host[:port]`. The same origin shares its connections. */
  open(origin: string, options: UpstreamOptions): Upstream;
  /**
   * The service that gives the operator's machine its identity, at an address that no other request may be sent to.
   * Requests for anything but a token fail. If the method is absent, there is none.
   */
  identityService?(): Upstream;
  /**
   * Why callers may not send requests to this base URL, judging by its text; `undefined` if they may. If the method is
   * absent, they may name any URL.
   */
  findHostError?(baseUrl: string): HostError | undefined;
  close(): Promise<void>;
}
