import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { refusal } from './refusal.ts';

/** The members of an object in a request, read as strictly as a vendor does. */
export interface Members {
  /** The place of the object, such as `messages[0].content[1]`. */
  readonly at: string;
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Throws if there are members with other names. */
  only(names: readonly string[]): Members;
  value(name: string): Json;
  text(name: string): string;
  count(name: string): number;
  flag(name: string): boolean;
  /** Reads a string that must be one of these words. */
  word(name: string, words: readonly string[]): string;
  json(name: string): JsonObject;
  object(name: string): Members;
  /** Reads a list of objects. */
  list(name: string): readonly Members[];
  texts(name: string): readonly string[];
  isText(name: string): boolean;
}

/** Some vendors treat a member that is `null` as absent. The others reject it. */
export type Nulls = 'absent' | 'refused';

const asObject = (value: Json | undefined, at: string): JsonObject => {
  if (isJsonObject(value)) return value;
  throw refusal(at, 'must be an object.');
};

/** Reads the members of an object. Throws a `refusal` for a member that is missing or has the wrong type. */
export const members = (value: Json | undefined, at: string, nulls: Nulls = 'refused'): Members => {
  const object = asObject(value, at);
  const place = (name: string): string => (at === '' ? name : `${at}.${name}`);
  const read = (name: string): Json | undefined => {
    const found = Object.hasOwn(object, name) ? object[name] : undefined;
    return found === null && nulls === 'absent' ? undefined : found;
  };
  const required = (name: string): Json => {
    const found = read(name);
    if (found === undefined) throw refusal(place(name), 'is required.');
    return found;
  };
  const items = (name: string): readonly Json[] => {
    const found = required(name);
    if (Array.isArray(found)) return found;
    throw refusal(place(name), 'must be a list.');
  };
  const asText = (found: Json, where: string): string => {
    if (typeof found === 'string') return found;
    throw refusal(where, 'must be a string.');
  };
  const self: Members = {
    at,
    names: Object.keys(object).filter((name) => read(name) !== undefined),
    has: (name) => read(name) !== undefined,
    only(names) {
      const unknown = self.names.find((name) => !names.includes(name));
      if (unknown !== undefined) throw refusal(place(unknown), 'is not a member that the vendor knows.');
      return self;
    },
    value: required,
    text: (name) => asText(required(name), place(name)),
    count(name) {
      const found = required(name);
      if (typeof found === 'number' && Number.isFinite(found)) return found;
      throw refusal(place(name), 'must be a number.');
    },
    flag(name) {
      const found = required(name);
      if (typeof found === 'boolean') return found;
      throw refusal(place(name), 'must be true or false.');
    },
    word(name, words) {
      const found = self.text(name);
      if (words.includes(found)) return found;
      throw refusal(place(name), `is "${found}", but must be one of ${words.join(', ')}.`);
    },
    json: (name) => asObject(required(name), place(name)),
    object: (name) => members(required(name), place(name), nulls),
    list: (name) => items(name).map((item, at) => members(item, `${place(name)}[${at}]`, nulls)),
    texts: (name) => items(name).map((item, at) => asText(item, `${place(name)}[${at}]`)),
    isText: (name) => typeof read(name) === 'string',
  };
  return self;
};

/** Returns the only member of an object in which exactly one may be set. */
export const onlyMember = (union: Members, names: readonly string[]): string => {
  const [name, ...others] = union.only(names).names;
  if (name !== undefined && others.length === 0) return name;
  throw refusal(union.at, `must have exactly one of ${names.join(', ')}.`);
};
