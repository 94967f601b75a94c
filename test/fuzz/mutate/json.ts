import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import type { Random } from '../support/random.ts';
import { oddText } from './text.ts';
import { oddValue } from './values.ts';

/** The values that mutations use, in addition to odd ones. */
export interface Pool {
  /** Names of members and words of enumerations, from this dialect and from none. */
  readonly words: readonly string[];
  /** Returns another value of the corpus. */
  donor(random: Random): Json;
}

/** A copy that mutations may change. */
type Draft = { [key: string]: Json } | Json[];

/** A value and its place. */
interface Place {
  readonly parent: Draft;
  readonly key: string | number;
  readonly value: Json;
}

/** Assigning `__proto__` would set the prototype. JSON creates a member. */
const put = (parent: Draft, key: string | number, value: Json): void => {
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
};

const isDraft = (value: Json): value is Json & Draft => typeof value === 'object' && value !== null;

const remove = ({ parent, key }: Place): void => {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
};

/** Returns every value in a document except the document itself. */
const placesIn = (root: Draft): readonly Place[] => {
  const places: Place[] = [];
  const open: Draft[] = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    const entries: Iterable<[string | number, Json]> = Array.isArray(parent)
      ? parent.entries()
      : Object.entries(parent);
    for (const [key, value] of entries) {
      places.push({ parent, key, value });
      if (isDraft(value)) open.push(value);
    }
  }
  return places;
};

const readChildren = (value: Json): readonly Json[] => (isDraft(value) ? Object.values(value) : []);

const shuffled = (list: readonly Json[], random: Random): Json[] => {
  const rest = [...list];
  return Array.from(list, () => rest.splice(random.below(rest.length), 1)[0] ?? null);
};

/** Converts a JSON value to its text, or a JSON text to its value. */
const reread = (value: Json): Json => {
  if (typeof value !== 'string') return JSON.stringify(value);
  try {
    return JSON.parse(value) as Json;
  } catch {
    return [value];
  }
};

const changedNumber = (value: number, random: Random): number =>
  random.pick([-value, value + 1, value - 1, value * 1e9, value / 3]);

const changedScalar = (value: Json, random: Random): Json => {
  if (typeof value === 'number') return changedNumber(value, random);
  return typeof value === 'string' ? oddText(value, random) : oddValue(random);
};

type Mutation = (place: Place, random: Random, pool: Pool) => void;

const mutations: readonly Mutation[] = [
  ({ parent, key }, random) => put(parent, key, oddValue(random)),
  ({ parent, key }, random) => put(parent, key, oddValue(random)),
  ({ parent, key }, random, { words }) => put(parent, key, random.pick(words)),
  ({ parent, key }, random, pool) => put(parent, key, pool.donor(random)),
  ({ parent, key, value }, random) => put(parent, key, changedScalar(value, random)),
  ({ parent, key, value }) => put(parent, key, reread(value)),
  ({ parent, key, value }) => put(parent, key, [value]),
  ({ parent, key, value }) => put(parent, key, [value, value]),
  ({ parent, key, value }, random, { words }) => put(parent, key, { [random.pick(words)]: value }),
  ({ parent, key, value }, random) => put(parent, key, random.pick([null, ...readChildren(value)])),
  (place) => remove(place),
  // Renames a member, or duplicates an item.
  (place, random, { words }) => {
    if (Array.isArray(place.parent)) place.parent.splice(random.below(place.parent.length), 0, place.value);
    else put(place.parent, random.pick(words), place.value);
    if (random.oneIn(2)) remove(place);
  },
  // Adds a member.
  ({ parent, value }, random, pool) => {
    const target = isDraft(value) ? value : parent;
    const added = random.oneIn(2) ? oddValue(random) : pool.donor(random);
    if (Array.isArray(target)) target.push(added);
    else put(target, random.pick(pool.words), added);
  },
  // Replaces values by null.
  ({ parent, key, value }) => {
    if (Array.isArray(value))
      put(
        parent,
        key,
        value.map(() => null),
      );
    else if (isJsonObject(value)) put(parent, key, Object.fromEntries(Object.keys(value).map((name) => [name, null])));
  },
  // Reorders a list, or replaces an object by a list.
  ({ parent, key, value }, random) => {
    if (isDraft(value)) put(parent, key, shuffled(readChildren(value), random));
  },
];

/** Returns a copy of a document in which some values are wrong. */
export const mutateJson = (document: Json, random: Random, pool: Pool): Json => {
  const holder: Draft = { document: structuredClone(document) };
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    const [root, ...places] = placesIn(holder);
    if (root === undefined) break;
    // The document itself is rarely replaced, because nothing would read the rest of it.
    const place = places.length === 0 || random.oneIn(100) ? root : random.pick(places);
    random.pick(mutations)(place, random, pool);
  }
  return holder.document ?? null;
};
