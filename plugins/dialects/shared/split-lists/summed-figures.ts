import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';

const sum = (values: readonly Json[]): Json | undefined => {
  const [first] = values;
  if (values.every((value) => typeof value === 'number')) return values.reduce((total, value) => total + value, 0);
  if (values.every(isJsonObject)) return summedObjects(values);
  if (values.every((value): value is Json[] => Array.isArray(value))) return values.flat();
  return first;
};

const summedObjects = (objects: readonly JsonObject[]): JsonObject => {
  const names = new Set(objects.flatMap((object) => Object.keys(object)));
  const summed = [...names].flatMap((name): [string, Json][] => {
    const stated = objects.flatMap((object) => (Object.hasOwn(object, name) ? [object[name] ?? null] : []));
    const total = sum(stated);
    return total === undefined ? [] : [[name, total]];
  });
  return Object.fromEntries(summed);
};

/**
 * Returns the sums of the figures of several answers: numbers are added, lists are joined, and of anything else the first is
 * kept. Returns undefined if an answer has no figures, because the sum of the others would be too small.
 */
export const summedFigures = (figures: readonly (Json | undefined)[]): JsonObject | undefined =>
  figures.every(isJsonObject) ? summedObjects(figures) : undefined;
