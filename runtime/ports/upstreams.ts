import type { Upstream } from '../../plugins/sdk/http.ts';

export interface UpstreamOptions {
  /** The operator chose this host: its connections are kept. Those of callers' hosts are bounded in number. */
  readonly operatorHost: boolean;
}

/** Where requests to other machines go out. Nothing else opens a connection. */
export interface Upstreams {
  /** `origin` is `https://host[:port]` or `http://host[:port]`. The same origin shares its connections. */
  open(origin: string, options: UpstreamOptions): Upstream;
  close(): Promise<void>;
}
