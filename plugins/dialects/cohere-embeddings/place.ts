import type { JsonObject } from '../../../schema/json/json.ts';

/** Sets parameters on a body. The length of vectors has another name here. */
export const place = ({ dimensions, ...params }: JsonObject, body: JsonObject): JsonObject => ({
  ...body,
  ...params,
  ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
});
