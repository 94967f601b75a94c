import type { JsonObject } from '../../../schema/json/json.ts';
import type { Dialect } from './dialect.ts';

/** Parameters with the neutral names of configs as members at the top level of a body of a dialect. */
export const ownParams = (
  dialect: Pick<Dialect, 'ownParams'> | undefined,
  params: JsonObject,
  body: JsonObject,
): JsonObject => dialect?.ownParams?.(params, body) ?? params;

/** A body with parameters of a config where its dialect has them. */
export const laidParams = (
  dialect: Pick<Dialect, 'place' | 'ownParams'> | undefined,
  params: JsonObject,
  body: JsonObject,
): JsonObject => dialect?.place?.(params, body) ?? { ...body, ...ownParams(dialect, params, body) };
