export interface DropOptions {
  /** The name of what is dropped. */
  readonly what: string;
  readonly because: string;
  /** Notifies the operator. */
  readonly log: (text: string) => void;
}

/** Counts dropped items. The operator is notified of the first one, and of the total at the end. */
export class DropLog {
  readonly #options: DropOptions;
  #count = 0;

  constructor(options: DropOptions) {
    this.#options = options;
  }

  add(): void {
    this.#count += 1;
    if (this.#count > 1) return;
    const { because, log } = this.#options;
    log(`Spans are dropped, because ${because}. Others that follow are counted, and reported when the gateway ends.`);
  }

  end(): void {
    const { what, log } = this.#options;
    if (this.#count > 0) log(`${this.#count} ${what} were dropped.`);
  }
}
