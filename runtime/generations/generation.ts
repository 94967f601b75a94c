import type { ServedPlan } from './served-plan.ts';

/** A file that was not accepted, and why: its first finding in one sentence. */
export interface Refusal {
  readonly file: string;
  readonly reason: string;
}

/** A plan of a generation, and what it was made from. */
export interface GenerationEntry {
  /** The text it came from, by hash: the same text is not compiled again. */
  readonly source: string;
  readonly file: string;
  readonly served: ServedPlan;
}

/** Held by a request for as long as it runs. */
export interface GenerationRef {
  readonly generation: Generation;
  /** To be called once, when the request is over. */
  release(): void;
}

/** The plans that serve together, by name. Requests keep the generation they began with. */
export class Generation {
  readonly number: number;
  readonly entries: ReadonlyMap<string, GenerationEntry>;
  /** Requests that run on it. */
  running = 0;
  #retired = false;
  readonly #closed: (generation: Generation) => void;
  readonly #ref: GenerationRef;

  constructor(
    number: number,
    entries: ReadonlyMap<string, GenerationEntry>,
    closed: (generation: Generation) => void = () => {},
  ) {
    this.number = number;
    this.entries = entries;
    this.#closed = closed;
    // One for all requests: it only counts.
    this.#ref = { generation: this, release: () => this.#release() };
  }

  plan(name: string): ServedPlan | undefined {
    return this.entries.get(name)?.served;
  }

  enter(): GenerationRef {
    this.running += 1;
    return this.#ref;
  }

  /** Another generation serves new requests; this one closes when its last request is over. */
  retire(): void {
    this.#retired = true;
    if (this.running === 0) this.#closed(this);
  }

  #release(): void {
    this.running -= 1;
    if (this.#retired && this.running === 0) this.#closed(this);
  }
}
