import type { JsonObject } from '../../../schema/json/json.ts';
import type { Dialect } from './dialect.ts';

/** Renames parameters from the neutral names of configs to the top-level members of a dialect's body. */
export const ownParams = (
  dialect: Pick<Dialect, 'ownParams'> | undefined,
  params: JsonObject,
  body: JsonObject,
): JsonObject => dialect?.ownParams?.(params, body) ?? params;

/** Returns a body with the parameters of a config, at the places that its dialect has for them. */
export const withParams = (
  dialect: Pick<Dialect, 'place' | 'ownParams'> | undefined,
  params: JsonObject,
  body: JsonObject,
): JsonObject => dialect?.place?.(params, body) ?? { ...body, ...ownParams(dialect, params, body) };
