import type { InputProblem } from '../../../../schema/input-problem.ts';
import type { JsonObject } from '../../../../schema/json.ts';
import { type PointerToken, toPointer } from '../../../../schema/pointer.ts';
import { refuse } from '../../saved/refusals.ts';
import { givenHyperparameters, hyperparametersOf } from '../hyperparameters.ts';
import type { NewJob } from '../new-job.ts';

interface Bounds {
  readonly provider: string;
  /** The hyperparameters that the provider has, by OpenAI's names. */
  readonly hyperparameters: readonly string[];
  /** Whether it takes `role_arn`. */
  readonly takesRole?: boolean;
}

/** The hyperparameters that a body gives, where the provider has them. */
const readHyperparameters = (body: NewJob): JsonObject =>
  givenHyperparameters(hyperparametersOf({ hyperparameters: body.hyperparameters, method: body.method }));

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'object' && Object.keys(value).length === 0);

/**
 * The hyperparameters of a supervised job, for a provider that has no other method. Throws the `GatewayError`
 * `invalid-input` for what the provider does not have: a job never silently differs from what was asked for.
 */
export const supervisedOnly = (body: NewJob, { provider, hyperparameters, takesRole = false }: Bounds): JsonObject => {
  const problem = (tokens: readonly PointerToken[], hint: string): InputProblem => ({
    pointer: toPointer(tokens),
    message: `${provider} has no "${tokens.join('.')}" of fine-tuning jobs.`,
    hint,
  });
  const given = readHyperparameters(body);
  const unknown = Object.keys(given).filter((name) => !hyperparameters.includes(name));
  const members = ['seed', 'integrations', 'metadata', ...(takesRole ? [] : ['role_arn'])] as const;
  refuse([
    ...(body.method.type === 'supervised'
      ? []
      : [
          {
            pointer: toPointer(['method', 'type']),
            message: `${provider} has no fine-tuning by the method "${body.method.type}".`,
            hint: 'Send "supervised".',
          },
        ]),
    ...members.filter((name) => isGiven(body[name as keyof NewJob])).map((name) => problem([name], 'Leave it out.')),
    ...unknown.map((name) => problem(['hyperparameters', name], `Leave it out. It has ${hyperparameters.join(', ')}.`)),
  ]);
  return given;
};
