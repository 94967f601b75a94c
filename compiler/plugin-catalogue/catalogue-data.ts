import type { JsonObject } from '../../schema/json/json.ts';

/** Stands for a function in data: the function can be called only where its code is loaded. */
export const functionMark = '$function';

/** Everything that plugins provide, as data, for a compiler without their code. Created by `describeCatalogue`. */
export interface CatalogueData {
  readonly providers: readonly JsonObject[];
  readonly dialects: readonly JsonObject[];
  readonly checks: readonly JsonObject[];
  readonly caches: readonly JsonObject[];
  readonly choosers: readonly JsonObject[];
  readonly sinks: readonly JsonObject[];
}
