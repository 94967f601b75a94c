import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json } from '../../../../schema/json/json.ts';
import type { FromSchema, ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { slugSchema } from '../records/new-slug.ts';
import { seconds } from '../requests/replies.ts';
import { toSeconds } from '../requests/to-seconds.ts';

/**
 * How a member comes to be there: a body has to give it; a record may lack it, and null takes it away; or it is given or made
 * when the record is, and never changes.
 */
type Presence = 'required' | 'optional' | 'fixed';

/** A member of a resource: of its bodies and its records, and the column of the same name in its table. */
export interface Member<
  Is extends Presence = Presence,
  Value = unknown,
  Column extends string | number = string | number,
> {
  /** Of a value that is there; its description is also that of the flag of commands. */
  readonly schema: ParameterSchema & { readonly description: string };
  /** Of a value in an answer; made of `schema` if absent. */
  readonly shown?: ParameterSchema;
  readonly presence: Is;
  /** The value of a new record where a body does not say it. */
  readonly initial?: Json;
  /** In front of a name that is made. */
  readonly prefix?: string;
  /** The placeholder for a value in the usage of commands, `NAME`; absent for what no flag can say. */
  readonly placeholder?: string;
  /** False for what lists leave out. */
  readonly isListed?: boolean;
  /** A value as its column has it, and back. */
  toColumn(value: Value): Column;
  toValue(column: Column): Json;
}

const same = (text: string): string => text;

/** A text that every record has. `pattern` is a regular expression that values match; `description` is a sentence. */
export const text = ({
  min,
  max,
  pattern,
  description,
  placeholder = 'TEXT',
}: {
  /** The least number of characters; 0 if absent. */
  readonly min?: number;
  readonly max: number;
  readonly pattern?: string;
  readonly description: string;
  readonly placeholder?: string;
}): Member<'required', string, string> => ({
  schema: {
    type: 'string',
    ...(min === undefined ? {} : { minLength: min }),
    maxLength: max,
    ...(pattern === undefined ? {} : { pattern }),
    description,
  },
  presence: 'required',
  placeholder,
  toColumn: same,
  toValue: same,
});

/** A text that names a record in paths and references, and so is one word. */
export const word = (description: string, placeholder = 'NAME'): Member<'required', string, string> => {
  const { minLength: min, maxLength: max, pattern } = slugSchema;
  return text({ min, max, pattern, description, placeholder });
};

/**
 * The same for a name that is made of the record's `name`, with `prefix` in front of it, where a body does not give it, and
 * never changes.
 */
export const slug = ({
  description = 'What it is named by; made of the name where absent.',
  prefix = '',
}: {
  readonly description?: string;
  readonly prefix?: string;
} = {}): Member<'fixed', string, string> => ({ ...word(description, 'SLUG'), presence: 'fixed', prefix });

/** The name of a record for people. */
export const displayName = (): Member<'required', string, string> =>
  text({ min: 1, max: 255, description: 'For people.', placeholder: 'NAME' });

/** A value that is kept as JSON. Lists leave it out. */
export const json = <const Schema extends ParameterSchema & { readonly description: string }>(
  schema: Schema,
  { initial }: { readonly initial?: Json } = {},
): Member<'required', FromSchema<Schema>, string> => ({
  schema,
  presence: 'required',
  ...(initial === undefined ? {} : { initial }),
  isListed: false,
  toColumn: (value) => JSON.stringify(value),
  toValue: (column) => fromJson(column) as Json,
});

/** A time in seconds since the epoch; its column has milliseconds. */
export const time = (description: string): Member<'required', number, number> => ({
  schema: { type: 'integer', description },
  shown: seconds,
  presence: 'required',
  toColumn: (value) => value * 1000,
  toValue: toSeconds,
});

/** A member that a record may lack. */
export const optional = <Value, Column extends string | number>(
  member: Member<'required', Value, Column>,
): Member<'optional', Value, Column> => ({
  ...member,
  presence: 'optional',
});
