import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { suggestName } from '../../../schema/text/closest-name.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** Reads the members of an object of a file; every mistake is a `UsageError` that says where it is and what belongs there. */
export class Members {
  readonly #file: string;
  readonly #at: string;
  readonly #value: JsonObject;

  constructor(file: string, at: string, value: Json | undefined, known: readonly string[]) {
    this.#file = file;
    this.#at = at;
    if (!isJsonObject(value)) throw this.#wrong(at === '' ? 'The file' : at, 'an object');
    this.#value = value;
    const unknown = Object.keys(value).find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw new UsageError(
        `In ${file}, ${this.#name(unknown)} is not a member that is read.`,
        suggestName(unknown, known, `Members are ${known.join(', ')}.`),
      );
  }

  #name(member: string): string {
    return this.#at === '' ? member : `${this.#at}.${member}`;
  }

  #wrong(what: string, expected: string): UsageError {
    return new UsageError(`In ${this.#file}, ${what} must be ${expected}.`, 'See gw simulate --help.');
  }

  has(member: string): boolean {
    return this.#value[member] !== undefined;
  }

  number(
    member: string,
    { from, to, whole = false }: { readonly from: number; readonly to: number; readonly whole?: boolean },
  ): number | undefined {
    const value = this.#value[member];
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || value < from || value > to || (whole && !Number.isInteger(value)))
      throw this.#wrong(this.#name(member), `a ${whole ? 'whole ' : ''}number from ${from} to ${to}`);
    return value;
  }

  text(member: string): string | undefined {
    const value = this.#value[member];
    if (value !== undefined && typeof value !== 'string') throw this.#wrong(this.#name(member), 'a text');
    return value;
  }

  flag(member: string): boolean | undefined {
    const value = this.#value[member];
    if (value !== undefined && typeof value !== 'boolean') throw this.#wrong(this.#name(member), 'true or false');
    return value;
  }

  choice<Choice extends string>(member: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.#value[member];
    const found = choices.find((choice) => choice === value);
    if (value !== undefined && found === undefined)
      throw this.#wrong(this.#name(member), `one of ${choices.join(', ')}`);
    return found;
  }

  object(member: string): JsonObject | undefined {
    const value = this.#value[member];
    if (value !== undefined && !isJsonObject(value)) throw this.#wrong(this.#name(member), 'an object');
    return value;
  }

  /** A list of objects, at most so many; undefined where there is none. */
  objects(member: string, most: number, known: readonly string[]): readonly Members[] | undefined {
    const value = this.#value[member];
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || value.length === 0 || value.length > most)
      throw this.#wrong(this.#name(member), `a list of 1 to ${most} objects`);
    return value.map((item: Json, index) => new Members(this.#file, `${this.#name(member)}[${index}]`, item, known));
  }

  /** Refuses a name that is none of these. */
  refuseUnknown(member: string, names: readonly string[], what: string): void {
    const value = this.text(member);
    if (value === undefined || names.includes(value)) return;
    throw new UsageError(
      `In ${this.#file}, ${this.#name(member)} is "${value}", and the config has no such ${what}.`,
      suggestName(value, names, `There are ${names.join(', ')}.`),
    );
  }
}
