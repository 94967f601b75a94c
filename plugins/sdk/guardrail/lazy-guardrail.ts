import { LoadedLate } from '../loading/loaded-late.ts';
import type { FromSchema, ParameterSchema } from '../parameters/from-schema.ts';
import {
  type Check,
  type CheckServices,
  defineGuardrail,
  type Guardrail,
  type GuardrailDefinition,
} from './guardrail.ts';

/** A check whose code is loaded when a config first uses it. */
export interface LazyGuardrailDefinition<Schema extends ParameterSchema>
  extends Omit<GuardrailDefinition<Schema>, 'create'> {
  /**
   * Loads the code and returns `create`. Called when a plan with the check is linked, and again after a failure, when the next
   * input is to be judged.
   */
  readonly load: () => Promise<(parameters: FromSchema<Schema>, services: CheckServices) => Check>;
}

/** Returns what a plugin, which may not be type-checked, returned from a member. Throws a `TypeError` if it is no function. */
const loadedFunction = <Returned>(returned: Returned, member: 'load' | 'create', id: string): Returned => {
  if (typeof returned === 'function') return returned;
  throw new TypeError(
    member === 'load'
      ? `"load" of the check "${id}" must resolve to "create", a function. Does the module export it?`
      : `"create" of the check "${id}" must return a function, and must not be async.`,
  );
};

/**
 * Defines a guardrail whose code is loaded when a plan first uses it: `load: async () => (await import('./scan.js')).scan`.
 * Linking the plan does not wait for the code; requests that arrive before it is loaded do. An error thrown by `create` therefore
 * counts as an error of the check.
 */
export const defineLazyGuardrail = <const Schema extends ParameterSchema>({
  load,
  ...declaration
}: LazyGuardrailDefinition<Schema>): Guardrail => ({
  ...defineGuardrail<Schema>({
    ...declaration,
    create(parameters, services) {
      const late = new LoadedLate(async () => {
        const create = loadedFunction(await load(), 'load', declaration.id);
        return loadedFunction(create(parameters, services), 'create', declaration.id);
      });
      return (input, withinMs) =>
        late.value === undefined ? late.ready().then((ready) => ready(input, withinMs)) : late.value(input, withinMs);
    },
  }),
  load: async () => defineGuardrail<Schema>({ ...declaration, create: await load() }),
});
