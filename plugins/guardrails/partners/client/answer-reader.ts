import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';

/**
 * Reads the members of a partner's answer. If a member does not have the documented type, it throws an `Error` that names the
 * member.
 */
export interface AnswerReader {
  readonly json: JsonObject;
  has(name: string): boolean;
  flag(name: string): boolean;
  number(name: string): number;
  /** Returns a number of at least 0. */
  score(name: string): number;
  /** Returns an integer of at least 0. */
  count(name: string): number;
  text(name: string): string;
  object(name: string): AnswerReader;
  /** Returns a list of objects. If `length` is given, the list must have that length: one object for each text that was sent. */
  list(name: string, length?: number): readonly AnswerReader[];
}

const isScore = (value: Json | undefined): value is number => typeof value === 'number' && value >= 0;

const isCount = (value: Json | undefined): value is number => isScore(value) && Number.isSafeInteger(value);

/** Reads an answer of the partner with this name. */
export const readAnswer = (vendor: string, json: JsonObject, place = ''): AnswerReader => {
  const refuse = (name: string, type: string): never => {
    throw new Error(
      `${vendor} answered with status 200, but "${place}${name}" of its answer is not ${type}, which its documentation requires.`,
    );
  };
  const of = <Type extends Json>(name: string, is: (value: Json | undefined) => value is Type, type: string): Type => {
    const value = lookUp(json, name);
    return is(value) ? value : refuse(name, type);
  };
  const inside = (value: Json, at: string): AnswerReader =>
    isJsonObject(value) ? readAnswer(vendor, value, `${place}${at}.`) : refuse(at, 'an object');
  return {
    json,
    has: (name) => Object.hasOwn(json, name) && json[name] !== null,
    flag: (name) => of(name, (value) => typeof value === 'boolean', 'true or false'),
    number: (name) => of(name, (value) => typeof value === 'number', 'a number'),
    score: (name) => of(name, isScore, 'a number of at least 0'),
    count: (name) => of(name, isCount, 'a whole number of at least 0'),
    text: (name) => of(name, (value) => typeof value === 'string', 'a text'),
    object: (name) => inside(of(name, isJsonObject, 'an object'), name),
    list: (name, length) => {
      const items = of(name, (value): value is readonly Json[] => Array.isArray(value), 'a list');
      if (length !== undefined && items.length !== length) refuse(name, `a list of ${length}`);
      return items.map((item, index) => inside(item, `${name}.${index}`));
    },
  };
};
