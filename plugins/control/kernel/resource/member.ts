import type { ParameterSchema } from '../../../sdk/from-schema.ts';

/**
 * How a member comes to be there: a body has to give it; a record may lack it, and null takes it away; or it is given or made
 * when the record is, and never changes.
 */
type Presence = 'required' | 'optional' | 'fixed';

/** A member of a resource: a text in bodies and records, and the column of the same name in its table. */
export interface Member<Is extends Presence = Presence> {
  /** Of a value that is there; its description is also that of the flag of commands. */
  readonly schema: ParameterSchema & { readonly type: 'string'; readonly description: string };
  readonly presence: Is;
  /** What stands for a value in the usage of commands: `NAME`. */
  readonly placeholder: string;
}

export interface TextOptions {
  /** The least number of characters; 0 if absent. */
  readonly min?: number;
  readonly max: number;
  /** A regular expression that values match. */
  readonly pattern?: string;
  /** What it is for, as a sentence. */
  readonly description: string;
  /** `TEXT` if absent. */
  readonly placeholder?: string;
}

/** A text that every record has. */
export const text = ({ min, max, pattern, description, placeholder = 'TEXT' }: TextOptions): Member<'required'> => ({
  schema: {
    type: 'string',
    ...(min === undefined ? {} : { minLength: min }),
    maxLength: max,
    ...(pattern === undefined ? {} : { pattern }),
    description,
  },
  presence: 'required',
  placeholder,
});

/** Letters, digits, "-" and "_". */
export const slugPattern = '^[a-zA-Z0-9_-]+$';

/** A text that names a record in paths and references, and so is one word. */
export const word = (description: string, placeholder = 'NAME'): Member<'required'> =>
  text({ min: 1, max: 255, pattern: slugPattern, description, placeholder });

/** The same for a name that is made of the record's `name` where a body does not give it, and never changes. */
export const slug = (description = 'What it is named by; made of the name where absent.'): Member<'fixed'> => ({
  ...word(description, 'SLUG'),
  presence: 'fixed',
});

/** A member that a record may lack. */
export const optional = (member: Member<'required'>): Member<'optional'> => ({ ...member, presence: 'optional' });
