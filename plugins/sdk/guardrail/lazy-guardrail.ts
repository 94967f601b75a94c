import { LoadedLate } from '../modules/loaded-late.ts';
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
  /** Gives `create`, when a plan with a check is linked. After a failure it is asked again, by what is to be judged. */
  readonly load: () => Promise<(parameters: FromSchema<Schema>, services: CheckServices) => Check>;
}

/**
 * A guardrail of which only the declaration is there until a plan names it: `load: async () => (await
 * import('./scan.js')).scan`. The plan does not wait for it, and what comes meanwhile does. What `create` throws is therefore
 * an error of the check.
 */
export const defineLazyGuardrail = <const Schema extends ParameterSchema>({
  load,
  ...declaration
}: LazyGuardrailDefinition<Schema>): Guardrail => ({
  ...defineGuardrail<Schema>({
    ...declaration,
    create(parameters, services) {
      const late = new LoadedLate(async () => (await load())(parameters, services));
      return (input, withinMs) =>
        late.value === undefined ? late.ready().then((ready) => ready(input, withinMs)) : late.value(input, withinMs);
    },
  }),
  load: async () => defineGuardrail<Schema>({ ...declaration, create: await load() }),
});
