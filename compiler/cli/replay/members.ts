import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { suggestName } from '../../../schema/text/closest-name.ts';
import { listNames } from '../../../schema/text/list-names.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** The place of a value: its file, and its path in it, such as `latency[0].target`. */
interface At {
  readonly file: string;
  readonly name: string;
}

/** Reads one member. Throws a `UsageError` for a value that is not allowed, with its place and what belongs there. */
type Reader<Value> = (value: Json, at: At) => Value;

/** The members that an object may have, each with its reader. */
interface Table {
  readonly [member: string]: Reader<unknown>;
}

/** The members that an object has. */
export type Read<Members extends Table> = { readonly [Name in keyof Members]?: ReturnType<Members[Name]> };

const wrong = ({ file, name }: At, expected: string): UsageError =>
  new UsageError(`In ${file}, ${name} must be ${expected}.`, 'See gw simulate --help.');

export const number =
  ({
    from,
    to,
    whole = false,
  }: {
    readonly from: number;
    readonly to: number;
    readonly whole?: boolean;
  }): Reader<number> =>
  (value, at) => {
    if (typeof value !== 'number' || value < from || value > to || (whole && !Number.isInteger(value)))
      throw wrong(at, `a ${whole ? 'whole ' : ''}number from ${from} to ${to}`);
    return value;
  };

export const text: Reader<string> = (value, at) => {
  if (typeof value !== 'string') throw wrong(at, 'a text');
  return value;
};

export const flag: Reader<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw wrong(at, 'true or false');
  return value;
};

export const object: Reader<JsonObject> = (value, at) => {
  if (!isJsonObject(value)) throw wrong(at, 'an object');
  return value;
};

export const choice =
  <Choice extends string>(choices: readonly Choice[]): Reader<Choice> =>
  (value, at) => {
    const found = choices.find((each) => each === value);
    if (found === undefined) throw wrong(at, `one of ${choices.join(', ')}`);
    return found;
  };

/** Creates a reader for the name of something in the config. */
export const nameOf =
  (names: readonly string[], what: string): Reader<string> =>
  (value, at) => {
    const name = text(value, at);
    if (names.includes(name)) return name;
    throw new UsageError(
      `In ${at.file}, ${at.name} is "${name}", and the config has no such ${what}.`,
      suggestName(name, names, listNames(names)),
    );
  };

const readObject = <Members extends Table>(value: Json, table: Members, { file, name }: At): Read<Members> => {
  const whole = object(value, { file, name: name === '' ? 'The file' : name });
  const known = Object.keys(table);
  const placeOf = (member: string): string => (name === '' ? member : `${name}.${member}`);
  const members = Object.entries(whole).map(([member, each]): readonly [string, unknown] => {
    const read = Object.hasOwn(table, member) ? table[member] : undefined;
    if (read === undefined)
      throw new UsageError(
        `In ${file}, ${placeOf(member)} is not a member that is read.`,
        suggestName(member, known, `Members are ${known.join(', ')}.`),
      );
    return [member, read(each, { file, name: placeOf(member) })];
  });
  return Object.fromEntries(members) as Read<Members>;
};

/** Creates a reader for a list of objects with a maximum length. */
export const objects =
  <Members extends Table>(max: number, table: Members): Reader<readonly Read<Members>[]> =>
  (value, at) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > max)
      throw wrong(at, `a list of 1 to ${max} objects`);
    return value.map((item: Json, index) => readObject(item, table, { file: at.file, name: `${at.name}[${index}]` }));
  };

/** Reads the object of a file by a table of its members. */
export const readMembers = <Members extends Table>(file: string, value: Json, table: Members): Read<Members> =>
  readObject(value, table, { file, name: '' });
