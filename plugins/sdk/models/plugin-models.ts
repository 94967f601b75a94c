import type { Json } from '../../../schema/json/json.ts';
import type { ModelLimits, StatedFacts } from '../../../schema/model-facts/model-facts.ts';

/** A model of a provider's own list, as far as the list says something of it. */
export interface ListedFacts
  extends Pick<ModelLimits, 'context' | 'output' | 'deprecated'>,
    Pick<StatedFacts, 'model' | 'aliases' | 'able' | 'unable'> {}

/** One answer of a provider's list. */
export interface ModelListPage {
  readonly models: readonly ListedFacts[];
  /** The members of the query that ask for the next page; absent: it is the last. */
  readonly next?: Readonly<Record<string, string>> | undefined;
}

/** How the list of models of a provider is asked for, and read. */
export interface ProviderModelList {
  /** Below the base URL: `/models`. */
  readonly path: string;
  /** The members of the query of the first page. */
  readonly query?: Readonly<Record<string, string>>;
  /** Reads an answer; undefined for one that is no list. What it cannot read of a model it leaves out. */
  read(answer: Json): ModelListPage | undefined;
}

/** The facts that a plugin has of the models of its providers, and how their own lists are read. */
export interface PluginModels {
  readonly facts: readonly StatedFacts[];
  /** By the id of the provider. */
  readonly lists: { readonly [provider: string]: ProviderModelList };
  /** For all other providers whose chats are at OpenAI's path, `/chat/completions`, also those of other plugins. */
  readonly openaiList?: ProviderModelList;
}
