import type { FileModel } from './file-model.ts';
import type { GenerationEntry } from './generation-entry.ts';
import type { ServedPlan } from './served-plan.ts';

/** A file that was not accepted, and the reason: its first finding in one sentence. */
export interface Refusal {
  readonly file: string;
  readonly reason: string;
}

/** Held by a request for as long as it runs. */
export interface GenerationRef {
  readonly generation: Generation;
  /** Must be called once, when the request is over. */
  release(): void;
}

/** The plans of a generation. */
export interface GenerationPlans {
  readonly entries: ReadonlyMap<string, GenerationEntry>;
  /** Default: none. */
  readonly models?: ReadonlyMap<string, FileModel>;
}

const noModels: ReadonlyMap<string, FileModel> = new Map();

/** The plans that are in service together, by name. Requests keep the generation that they started with. */
export class Generation {
  readonly number: number;
  readonly entries: ReadonlyMap<string, GenerationEntry>;
  /** The virtual models of the gateway file, by name. */
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
    // Shared by all requests, because it only counts.
    this.#ref = { generation: this, release: () => this.#release() };
  }

  plan(name: string): ServedPlan | undefined {
    return this.entries.get(name)?.served;
  }

  enter(): GenerationRef {
    this.running += 1;
    return this.#ref;
  }

  /** Called when another generation serves new requests. This one closes when its last request is over. */
  retire(): void {
    this.#retired = true;
    if (this.running === 0) this.#closed(this);
  }

  #release(): void {
    this.running -= 1;
    if (this.#retired && this.running === 0) this.#closed(this);
  }
}
