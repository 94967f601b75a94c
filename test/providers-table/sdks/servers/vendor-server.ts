/** A vendor's own server that runs. */
export interface RunningServer {
  /** Its name on PyPI, with its version. */
  readonly library: string;
  readonly baseUrl: string;
  readonly key: string;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/** A vendor's own server that is installed by command. */
export interface VendorServer {
  readonly provider: string;
  /** Those of the provider's dialects in which it is asked. */
  readonly dialects: readonly string[];
  /** The name of its only model, which an upstream serves that follows OpenAI. */
  readonly model: string;
  start(folder: string, upstream: string): Promise<RunningServer>;
}
