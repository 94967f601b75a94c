import type { FileModel } from './file-model.ts';
import type { GenerationEntry } from './generation-entry.ts';
import type { ServedPlan } from './served-plan.ts';

/** A file that was not accepted, and why: its first finding in one sentence. */
export interface Refusal {
  readonly file: string;
  readonly reason: string;
}

/** Held by a request for as long as it runs. */
export interface GenerationRef {
  readonly generation: Generation;
  /** To be called once, when the request is over. */
  release(): void;
}

/** The plans of a generation. */
export interface GenerationPlans {
  readonly entries: ReadonlyMap<string, GenerationEntry>;
  /** None if absent. */
  readonly models?: ReadonlyMap<string, FileModel>;
}

const noModels: ReadonlyMap<string, FileModel> = new Map();

/** The plans in service together, by name. Requests keep the generation they started with. */
export class Generation {
  readonly number: number;
  readonly entries: ReadonlyMap<string, GenerationEntry>;
  /** The virtual models of the gateway file, by their names. */
  readonly models: ReadonlyMap<string, FileModel>;
  /** The number of its running requests. */
  running = 0;
  #retired = false;
  readonly #closed: (generation: Generation) => void;
  readonly #ref: GenerationRef;

  constructor(
    number: number,
    { entries, models = noModels }: GenerationPlans,
    closed: (generation: Generation) => void = () => {},
  ) {
    this.number = number;
    this.entries = entries;
    this.models = models;
    this.#closed = closed;
    // One object for all requests, since it only counts.
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
