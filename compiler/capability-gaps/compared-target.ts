import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { ModelFacts } from '../../schema/model-facts/model-facts.ts';

/** A target, with what is known about the requests that it can serve. */
export interface ComparedTarget {
  readonly provider: Provider;
  readonly settings: JsonObject;
  /** Absent if the request names it. */
  readonly model?: string | undefined;
  /** The dialects that it speaks with the model; empty if only the model of a request determines them. */
  readonly spoken: readonly Dialect[];
  /** The facts about its model; absent if nothing is known. */
  readonly facts?: ModelFacts | undefined;
  /** The parameters that it sets on each request. */
  readonly params: JsonObject;
}
