import type { Provider } from '../../../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Draft } from '../draft/draft.ts';

export interface ImportContext {
  readonly draft: Draft;
  /** The providers that Gatewright knows, by id. */
  readonly providers: ReadonlyMap<string, Provider>;
  /** The name of the file without its extension. */
  readonly name: string;
}

/** Builds a set-up from the contents of another gateway's file. */
export type ImportSource = (value: JsonObject, context: ImportContext) => void;
