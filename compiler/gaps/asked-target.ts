import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { ModelFacts } from '../../schema/model-facts/model-facts.ts';

/** A target as far as it is known what requests can have there. */
export interface AskedTarget {
  readonly provider: Provider;
  readonly settings: JsonObject;
  /** Absent if the request names it. */
  readonly model?: string | undefined;
  /** The dialects that it speaks with the model; none where only the model of a request decides that. */
  readonly spoken: readonly Dialect[];
  /** Of its model; absent where nothing is known of it. */
  readonly facts?: ModelFacts | undefined;
  /** The parameters that it lays on each request. */
  readonly params: JsonObject;
}
