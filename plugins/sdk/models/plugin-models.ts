import type { Json } from '../../../schema/json/json.ts';
import type { ModelLimits, StatedFacts } from '../../../schema/model-facts/model-facts.ts';

/** The facts about a model that a provider's own list states. */
export interface ListedFacts
  extends Pick<ModelLimits, 'context' | 'output' | 'deprecated'>,
    Pick<StatedFacts, 'model' | 'aliases' | 'able' | 'unable'> {}

/** One page of a provider's list. */
export interface ModelListPage {
  readonly models: readonly ListedFacts[];
  /** The query parameters of the next page. Absent for the last page. */
  readonly next?: Readonly<Record<string, string>> | undefined;
}

/** How the model list of a provider is requested and parsed. */
export interface ProviderModelList {
  /** The path below the base URL: `/models`. */
  readonly path: string;
  /** The query parameters of the first page. */
  readonly query?: Readonly<Record<string, string>>;
  /** Parses an answer. Returns undefined if it is not a list. Facts of a model that cannot be read are omitted. */
  read(answer: Json): ModelListPage | undefined;
}

/** A plugin's facts about the models of its providers, and how the providers' own lists are read. */
export interface PluginModels {
  readonly facts: readonly StatedFacts[];
  /** The list of each provider, by its id. */
  readonly lists: { readonly [provider: string]: ProviderModelList };
  /** The list of all other providers whose chats are at OpenAI's path, `/chat/completions`, including those of other plugins. */
  readonly openaiList?: ProviderModelList;
}
