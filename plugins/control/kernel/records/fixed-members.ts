import type { Json } from '../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { problem } from '../requests/problem.ts';
import { refuse } from '../requests/refusals.ts';

/**
 * The schema, in a change, of a member that never changes. It is accepted so that the file that created a record can also change
 * it.
 */
export const fixedMemberSchema = <Schema extends ParameterSchema>(
  schema: Schema,
): Schema & { description: string } => ({
  ...schema,
  description: 'The current value. It never changes, and any other value is refused.',
});

/**
 * Throws the `GatewayError` `invalid-input` if a change has a different value from the record for a member that never changes.
 */
export const refuseOtherValues = (
  noun: string,
  record: object,
  given: { readonly [name: string]: Json | undefined },
): void => {
  const own = new Map<string, unknown>(Object.entries(record));
  const others = Object.keys(given).filter((name) => given[name] !== undefined && given[name] !== own.get(name));
  refuse(
    others.map((name) =>
      problem(
        [name],
        `The ${name} of this ${noun} is ${JSON.stringify(own.get(name))} and cannot be changed.`,
        `Leave "${name}" out, or create another ${noun} with that ${name}.`,
      ),
    ),
  );
};
