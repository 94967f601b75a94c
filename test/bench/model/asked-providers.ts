import type { JsonObject } from '../../../schema/json/json.ts';
import type { ModelledProvider } from './modelled-providers.ts';
import type { AnswerAt } from './modelled-run.ts';

/** The body of each request. */
export const question: JsonObject = { model: 'm', messages: [{ role: 'user', content: 'Is it so?' }] };

/** Providers at separate hosts, each with one model. */
export class AskedProviders {
  readonly #providers: readonly ModelledProvider[];
  readonly #counts = new Map<string, number>();
  readonly #answered = new Map<string, number>();

  constructor(providers: readonly ModelledProvider[]) {
    this.#providers = providers;
  }

  /** The targets of a config that calls the providers. */
  get targets(): readonly JsonObject[] {
    return this.#providers.map(({ model }) => ({
      ...{ provider: 'openai', api_key: '${env:KEY}', custom_host: `https://${model}.example/v1` },
      override_params: { model },
    }));
  }

  /** Returns how many requests a provider received. */
  count(model: string): number {
    return this.#counts.get(model) ?? 0;
  }

  /** Returns how many requests a provider answered with a 200. */
  answered(model: string): number {
    return this.#answered.get(model) ?? 0;
  }

  readonly answerAt: AnswerAt = ({ origin }, now) => {
    const [model = ''] = new URL(origin).hostname.split('.');
    const provider = this.#providers.find((each) => each.model === model);
    if (provider === undefined) throw new Error(`Nobody is at ${origin}.`);
    const nth = this.count(model) + 1;
    this.#counts.set(model, nth);
    const modelled = provider.answer(nth, now);
    if (modelled.answer.kind === 'answer' && modelled.answer.status === 200)
      this.#answered.set(model, this.answered(model) + 1);
    return modelled;
  };
}
