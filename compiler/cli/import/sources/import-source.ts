import type { Provider } from '../../../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Draft } from '../draft/draft.ts';

export interface ImportContext {
  readonly draft: Draft;
  /** The providers that Gatewright knows, by id. */
  readonly providers: ReadonlyMap<string, Provider>;
  /** The name of the file without its ending. */
  readonly name: string;
}

/** Makes a set-up of what a file of another gateway says. */
export type ImportSource = (value: JsonObject, context: ImportContext) => void;
