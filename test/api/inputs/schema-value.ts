import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import type { Json } from '../../../schema/json/json.ts';
import { oddValue } from '../../fuzz/mutate/values.ts';
import type { Random } from '../../fuzz/support/random.ts';
import { anyText, textFor } from './schema-text.ts';

/** The source of generated values. */
export interface ValueSource {
  readonly random: Random;
  /** Returns a value for a member that its schema cannot describe, such as an id. In `path`, `*` stands for items. */
  readonly hint: (path: readonly string[]) => Json | undefined;
  /** One of this many values is invalid. 0 means none. */
  readonly oddOneIn: number;
}

const wholeNumbers: readonly number[] = [0, 1, 2, 7, 60, 1_800_000, 2_000_000_000, 2 ** 31, 2 ** 53 - 1];
const numbers: readonly number[] = [0, 1, 0.5, -2, 1.75, 100, 1e-7, 1e308];

const bounded = ({ minimum, maximum }: ParameterSchema, { random }: ValueSource, usual: readonly number[]): number => {
  const bounds = [minimum, maximum].filter((bound) => bound !== undefined);
  if (bounds.length > 0 && random.oneIn(3)) return random.pick(bounds);
  const fitting = usual.filter((each) => each >= (minimum ?? -Infinity) && each <= (maximum ?? Infinity));
  return random.pick(fitting.length > 0 ? fitting : bounds);
};

const isOdd = ({ random, oddOneIn }: ValueSource): boolean => oddOneIn > 0 && random.oneIn(oddOneIn);

const anyObject = ({ random }: ValueSource): Json =>
  Object.fromEntries(
    Array.from({ length: random.below(4) }, () => [
      anyText(random, 12),
      random.pick<Json>([1, true, 'a text', null, ['x'], { a: { b: 1 } }]),
    ]),
  );

const objectFor = (schema: ParameterSchema, source: ValueSource, path: readonly string[]): Json => {
  const { properties = {}, required = [], additionalProperties } = schema;
  const { random } = source;
  const members = Object.entries(properties).flatMap(([name, each]): [string, Json][] => {
    const isThere = required.includes(name) ? !isOdd(source) : random.oneIn(3);
    return isThere ? [[name, schemaValue(each, source, [...path, name])]] : [];
  });
  if (typeof additionalProperties === 'object' && random.oneIn(2))
    for (let left = 1 + random.below(3); left > 0; left -= 1)
      members.push([anyText(random, 12), schemaValue(additionalProperties, source, [...path, '*'])]);
  if (isOdd(source)) members.push([anyText(random, 12), oddValue(random)]);
  const free = additionalProperties === true && members.length === 0 ? anyObject(source) : {};
  return { ...(free as object), ...Object.fromEntries(members) };
};

const arrayFor = (schema: ParameterSchema, source: ValueSource, path: readonly string[]): Json => {
  const { items = {}, minItems = 0, maxItems = 1000 } = schema;
  const { random } = source;
  const isFull = maxItems <= 200 && random.oneIn(20);
  const length = isFull ? maxItems : Math.max(minItems, Math.min(maxItems, random.below(4)));
  return Array.from({ length }, () => schemaValue(items, source, [...path, '*']));
};

/** Generates a value just outside the bounds of a schema. */
const besides = ({ maxLength, minimum, maximum, maxItems }: ParameterSchema, random: Random): Json => {
  const near: Json[] = [];
  if (maxLength !== undefined) near.push('x'.repeat(maxLength + 1), '🎉'.repeat(maxLength), '\u0000', 'a\ud800');
  if (minimum !== undefined) near.push(minimum - 1, minimum + 0.5);
  if (maximum !== undefined) near.push(maximum + 1, 1e308);
  if (maxItems !== undefined && maxItems <= 200) near.push(Array.from({ length: maxItems + 1 }, () => 'x'));
  return near.length === 0 || random.oneIn(2) ? oddValue(random) : random.pick(near);
};

/** Generates a value that matches a schema, sometimes exactly at its bounds. */
export const schemaValue = (schema: ParameterSchema, source: ValueSource, path: readonly string[] = []): Json => {
  const { random } = source;
  if (isOdd(source)) return besides(schema, random);
  const hinted = random.oneIn(25) ? undefined : source.hint(path);
  if (hinted !== undefined) return hinted;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined && Object.keys(schema.properties ?? {}).length === 0)
    return schemaValue(random.pick(options), source, path);
  switch (schema.type) {
    case 'object':
      return objectFor(schema, source, path);
    case 'array':
      return arrayFor(schema, source, path);
    case 'string':
      return textFor(schema, random);
    case 'integer':
      return bounded(schema, source, wholeNumbers);
    case 'number':
      return bounded(schema, source, numbers);
    case 'boolean':
      return random.oneIn(2);
    case 'null':
      return null;
    default:
      return schema.properties === undefined ? oddValue(random) : objectFor(schema, source, path);
  }
};
