import type { Upstream } from '../../plugins/sdk/http.ts';

export interface UpstreamOptions {
  /** Whether the operator chose this host: its connections are kept. Those of callers' hosts are bounded in number. */
  readonly operatorHost: boolean;
}

/** Sends requests to other machines. Nothing else opens a connection. */
export interface Upstreams {
  /** `origin` is `https://host[:port]` or `http://host[:port]`. The same origin shares its connections. */
  open(origin: string, options: UpstreamOptions): Upstream;
  /**
   * Why callers may not send requests to this base URL, judging by its text, as the end of a sentence. If absent, they may
   * name any URL.
   */
  hostFault?(baseUrl: string): string | undefined;
  close(): Promise<void>;
}
