import { isJsonObject, type Json, type JsonArray, type JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findObject } from '../../../../schema/json/loose.ts';
import type { ListSplit } from '../../../sdk/dialect/list-split.ts';
import { notAnAnswer } from '../answer/not-an-answer.ts';
import { sortByIndex } from './in-places.ts';
import { summedFigures } from './summed-figures.ts';

export interface SplitLists {
  /** The members of requests that may be the list of texts. A request has one of them. */
  readonly texts: readonly string[];
  /** The member of answers that is the list of vectors, or that has a list for each type of vector. */
  readonly vectors: string;
  /** Further members of answers that are lists, with an item for each text. */
  readonly echoes?: readonly string[];
  /** The member of answers that has the usage figures. */
  readonly figures: string;
  /** Returns the index that a vector states for its place in the answer's list. Absent: a vector's index is its position. */
  indexOf?(vector: Json): number | undefined;
  /** Changes a vector that states its index, which is higher by this number in the joined answer. */
  moved?(vector: Json, by: number): Json;
}

/** Returns the member with the list of texts. A list of numbers is a single text, written as token ids. */
const findList = (body: JsonObject, names: readonly string[]): string | undefined =>
  names.find((name) => {
    const items = findItems(body[name]);
    return items !== undefined && typeof items[0] !== 'number';
  });

const listsOf = (vectors: Json | undefined): readonly (JsonArray | undefined)[] => {
  const list = findItems(vectors);
  if (list !== undefined) return [list];
  return Object.values(findObject(vectors) ?? {}).flatMap((each) => (each === null ? [] : [findItems(each)]));
};

type Moved = NonNullable<SplitLists['moved']>;

const joinedList = (lists: readonly Json[], moved: Moved): JsonArray => {
  const joined: Json[] = [];
  for (const list of lists) {
    const by = joined.length;
    for (const item of findItems(list) ?? []) joined.push(moved(item, by));
  }
  return joined;
};

/** Returns the types of an answer's vectors, or none if the vectors are one list. */
const typesOf = (vectors: Json | undefined): readonly string[] =>
  Object.entries(findObject(vectors) ?? {}).flatMap(([type, list]) => (list === null ? [] : [type]));

/** Throws a `TypeError` if several answers do not all list vectors in the same way. */
const refuseOtherTypes = ([first, ...others]: readonly Json[]): void => {
  const types = typesOf(first).toSorted().join();
  if (others.some((each) => typesOf(each).toSorted().join() !== types))
    throw new TypeError('its parts have vectors of different types.');
};

const joinedVectors = (vectors: readonly Json[], moved: Moved): Json => {
  refuseOtherTypes(vectors);
  if (!vectors.every(isJsonObject)) return joinedList(vectors, moved);
  const types = typesOf(vectors[0]);
  const ofType = (type: string): readonly Json[] => vectors.map((each) => each[type] ?? null);
  return Object.fromEntries(types.map((type) => [type, joinedList(ofType(type), moved)]));
};

const asItIs: Moved = (vector) => vector;

/** Splits a format whose requests have one list of texts, and whose answers have lists in the same order. */
export const splitLists = ({
  texts,
  vectors,
  echoes = [],
  figures,
  indexOf: placeOf,
  moved = asItIs,
}: SplitLists): ListSplit => ({
  count(body) {
    const list = findList(body, texts);
    return list === undefined ? undefined : findItems(body[list])?.length;
  },
  part(body, from, to) {
    const list = findList(body, texts);
    return list === undefined ? body : { ...body, [list]: findItems(body[list])?.slice(from, to) ?? [] };
  },
  check(answer, count) {
    const lists = listsOf(answer[vectors]);
    if (lists.length === 0 || lists.includes(undefined)) throw new TypeError(notAnAnswer(answer, vectors));
    const other = lists.find((list) => list?.length !== count);
    if (other !== undefined) throw new TypeError(`it has ${other.length} vectors for ${count} texts.`);
    if (placeOf !== undefined) for (const list of lists) sortByIndex(list ?? [], placeOf);
  },
  join(answers) {
    const [first = {}] = answers;
    const { [figures]: _, ...rest } = first;
    const sum = summedFigures(answers.map((answer) => answer[figures]));
    const echoed = echoes.filter((name) => answers.every((answer) => findItems(answer[name]) !== undefined));
    const ofMember = (name: string): readonly Json[] => answers.map((answer) => answer[name] ?? null);
    const lists = Object.fromEntries(echoed.map((name) => [name, joinedList(ofMember(name), asItIs)]));
    const joined = joinedVectors(ofMember(vectors), moved);
    return { ...rest, ...lists, [vectors]: joined, ...(sum === undefined ? {} : { [figures]: sum }) };
  },
});
