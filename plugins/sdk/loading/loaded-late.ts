/** A value that starts to load immediately. It is loaded once; if that fails, it is loaded again when it is next needed. */
export class LoadedLate<Value> {
  readonly #load: () => Promise<Value>;
  #value: Value | undefined;
  #loading: Promise<Value> | undefined;

  constructor(load: () => Promise<Value>) {
    this.#load = load;
    // Later callers of `ready` receive the failure.
    this.ready().catch(() => {});
  }

  /** Undefined until it is loaded. */
  get value(): Value | undefined {
    return this.#value;
  }

  /** Whether it is loaded or loading. */
  get hasBegun(): boolean {
    return this.#loading !== undefined;
  }

  ready(): Promise<Value> {
    this.#loading ??= this.#start();
    return this.#loading;
  }

  async #start(): Promise<Value> {
    try {
      this.#value = await this.#load();
      return this.#value;
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }
}
