import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json } from '../../../../schema/json/json.ts';
import type { FromSchema, ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { slugSchema } from '../records/new-slug.ts';
import { seconds } from '../requests/replies.ts';
import { toSeconds } from '../requests/to-seconds.ts';

/**
 * How a member gets its value. *Required*: a body has to set it. *Optional*: a record may lack it, and null removes it. *Fixed*:
 * it is set or generated when the record is created, and never changes.
 */
type Presence = 'required' | 'optional' | 'fixed';

/** A member of a resource: in its bodies and records, and as the column of the same name in its table. */
export interface Member<
  Is extends Presence = Presence,
  Value = unknown,
  Column extends string | number = string | number,
> {
  /** The schema of a value. Its description is also that of the command's flag. */
  readonly schema: ParameterSchema & { readonly description: string };
  /** The schema of a value in a response; derived from `schema` if absent. */
  readonly shown?: ParameterSchema;
  readonly presence: Is;
  /** The value of a new record if a body does not set one. */
  readonly initial?: Json;
  /** The prefix of a generated name. */
  readonly prefix?: string;
  /** The placeholder for a value in the usage of commands, such as `NAME`; absent if no flag can set it. */
  readonly placeholder?: string;
  /** Whether it is the record's name for people, which `newNameErrors` validates. */
  readonly isDisplayName?: boolean;
  /** False for members that lists omit. */
  readonly isListed?: boolean;
  /** Converts a value to its column, and back. */
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
  /** The minimum number of characters; 0 if absent. */
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

/** A text that names a record in paths and references, and is therefore a single word. */
export const word = (description: string, placeholder = 'NAME'): Member<'required', string, string> => {
  const { minLength: min, maxLength: max, pattern } = slugSchema;
  return text({ min, max, pattern, description, placeholder });
};

/**
 * The same for a name that never changes. If a body does not set it, it is generated from the record's `name` with `prefix` in
 * front.
 */
export const slug = ({
  description = 'The name used in references; derived from the display name if absent.',
  prefix = '',
}: {
  readonly description?: string;
  readonly prefix?: string;
} = {}): Member<'fixed', string, string> => ({ ...word(description, 'SLUG'), presence: 'fixed', prefix });

/** The name of a record that is shown to people. */
export const displayName = (): Member<'required', string, string> => ({
  ...text({ min: 1, max: 255, description: 'For people.', placeholder: 'NAME' }),
  isDisplayName: true,
});

/** A value that is stored as JSON. Lists omit it. */
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

/** A time in seconds since the epoch. Its column has milliseconds. */
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
