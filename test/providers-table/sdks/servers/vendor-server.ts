/** A vendor's own server that is running. */
export interface RunningServer {
  /** Its name on PyPI, with its version. */
  readonly library: string;
  readonly baseUrl: string;
  readonly key: string;
  /** Resolves when the server has exited. */
  stop(): Promise<void>;
}

/** A vendor's own server, which a command installs. */
export interface VendorServer {
  readonly provider: string;
  /** The provider's dialects in which requests are sent to it. */
  readonly dialects: readonly string[];
  /** The name of its only model, which it serves through an OpenAI-compatible upstream. */
  readonly model: string;
  start(folder: string, upstream: string): Promise<RunningServer>;
}
