/** A value that begins to load at once, only once, and again after it has failed when it is next needed. */
export class LoadedLate<Value> {
  readonly #load: () => Promise<Value>;
  #value: Value | undefined;
  #loading: Promise<Value> | undefined;

  constructor(load: () => Promise<Value>) {
    this.#load = load;
    // Whoever asks while it fails gets the failure.
    this.ready().catch(() => {});
  }

  /** Undefined until it is there. */
  get value(): Value | undefined {
    return this.#value;
  }

  /** Whether it is there, or is being loaded. */
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
