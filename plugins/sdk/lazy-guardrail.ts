import type { FromSchema, ParameterSchema } from './from-schema.ts';
import {
  type Check,
  type CheckServices,
  defineGuardrail,
  type Guardrail,
  type GuardrailDefinition,
} from './guardrail.ts';

export interface LazyGuardrailDefinition<Schema extends ParameterSchema>
  extends Omit<GuardrailDefinition<Schema>, 'create'> {
  /** Gives `create`, when a check first has something to judge. After a failure it is asked again. */
  readonly load: () => Promise<(parameters: FromSchema<Schema>, services: CheckServices) => Check>;
}

/**
 * A guardrail of which only the declaration is there when the gateway starts: `load: async () => (await
 * import('./scan.js')).scan`. What `create` throws is an error of the check, since the plan has long been linked.
 */
export const defineLazyGuardrail = <const Schema extends ParameterSchema>({
  load,
  ...declaration
}: LazyGuardrailDefinition<Schema>): Guardrail =>
  defineGuardrail<Schema>({
    ...declaration,
    create(parameters, services) {
      let made: Promise<Check> | undefined;
      const make = async (): Promise<Check> => (await load())(parameters, services);
      return async (input, withinMs) => {
        made ??= make();
        try {
          await made;
        } catch (error) {
          made = undefined;
          throw error;
        }
        return (await made)(input, withinMs);
      };
    },
  });
