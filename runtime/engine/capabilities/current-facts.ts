import type { ModelFacts } from '../../../schema/model-facts/model-facts.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FindInProvider, KnownModels } from '../../ports/known-models.ts';

/** How long facts are used before they are loaded again in the background. */
const freshMs = 10_000;

/** A longer name is not a model's, and is not looked up. */
const longestName = 256;

/** Requests name models, so there may be any number: results are kept for this many models per provider. */
const maxModels = 500;

interface Known {
  readonly find: FindInProvider;
  readonly asOf: number;
  readonly found: Map<string, ModelFacts | undefined>;
}

const nothing: FindInProvider = () => undefined;

/** Recent facts of models. Those of a provider are loaded before a request first needs them. */
export class CurrentFacts {
  readonly #models: () => Promise<KnownModels>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #known = new Map<string, Known>();
  readonly #loading = new Map<string, Promise<void>>();

  constructor(models: () => Promise<KnownModels>, clock: Pick<Clock, 'monotonic'>) {
    this.#models = models;
    this.#clock = clock;
  }

  /** Settles once the facts of a provider are loaded. Undefined if they are. Never rejects. */
  ready(provider: string): Promise<void> | undefined {
    const known = this.#known.get(provider);
    if (known === undefined) return this.#loaded(provider);
    if (this.#clock.monotonic() - known.asOf >= freshMs) void this.#loaded(provider);
    return undefined;
  }

  /** Returns the facts of a provider's model. `slug` is the saved provider that is called. */
  find(provider: string, model: string, slug: string | undefined): ModelFacts | undefined {
    const known = this.#known.get(provider);
    if (known === undefined || model.length > longestName) return undefined;
    const key = slug === undefined ? model : `@${slug} ${model}`;
    const before = known.found.get(key);
    if (before !== undefined || known.found.has(key)) return before;
    const facts = known.find(model, slug);
    if (known.found.size >= maxModels) known.found.clear();
    known.found.set(key, facts);
    return facts;
  }

  #loaded(provider: string): Promise<void> {
    const loading = this.#loading.get(provider);
    if (loading !== undefined) return loading;
    const load = this.#load(provider).finally(() => this.#loading.delete(provider));
    this.#loading.set(provider, load);
    return load;
  }

  /** If the facts cannot be read, the previous ones stay in use. `/readyz` names the file. */
  async #load(provider: string): Promise<void> {
    let find = this.#known.get(provider)?.find ?? nothing;
    try {
      find = await (await this.#models()).ofProvider(provider);
    } catch {
      // Unknown abilities count as present.
    }
    this.#known.set(provider, { find, asOf: this.#clock.monotonic(), found: new Map() });
  }
}
