import type { JsonObject } from '../../schema/json/json.ts';

/** Stands in data for a function: it can only be asked where the code is. */
export const functionMark = '$function';

/** Everything that plugins provide, as data: what a compiler without their code knows of it. Made by `describeCatalogue`. */
export interface CatalogueData {
  readonly providers: readonly JsonObject[];
  readonly dialects: readonly JsonObject[];
  readonly checks: readonly JsonObject[];
  readonly caches: readonly JsonObject[];
  readonly choosers: readonly JsonObject[];
  readonly sinks: readonly JsonObject[];
}
