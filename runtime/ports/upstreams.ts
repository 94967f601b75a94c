import type { Upstream } from '../../plugins/sdk/http.ts';

export interface UpstreamOptions {
  /** The operator chose this host: its connections are kept. Those of callers' hosts are bounded in number. */
  readonly operatorHost: boolean;
}

/** Where requests to other machines go out. Nothing else opens a connection. */
export interface Upstreams {
  /** `origin` is `https://host[:port]` or `http://host[:port]`. The same origin shares its connections. */
  open(origin: string, options: UpstreamOptions): Upstream;
  /**
   * Why callers may not send requests to this base URL, as far as its text tells, as the end of a sentence. They may name
   * any where this is absent.
   */
  hostFault?(baseUrl: string): string | undefined;
  close(): Promise<void>;
}
