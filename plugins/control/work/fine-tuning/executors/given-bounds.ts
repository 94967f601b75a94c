import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { type PointerToken, toPointer } from '../../../../../schema/json/pointer.ts';
import { memberProblem, refuse } from '../../../kernel/requests/refusals.ts';
import type { CloudStorage } from '../../accounts/storage/cloud-storage.ts';
import type { MethodType, NewJob } from '../job/new-job.ts';
import { givenHyperparameters, toHyperparameters } from '../job/normalised.ts';

type Member = 'seed' | 'integrations' | 'metadata' | 'role_arn' | 'validation_file';

interface Bounds {
  readonly provider: string;
  /** The methods that the provider has, each with its hyperparameters, by OpenAI's names. */
  readonly methods: Readonly<Partial<Record<MethodType, readonly string[]>>>;
  /** What it has no form for; `seed`, `integrations`, `metadata` and `role_arn` if absent. */
  readonly lacks?: readonly Member[];
}

const rarelySupported = ['seed', 'integrations', 'metadata', 'role_arn'] as const;

/** The hyperparameters that a body gives, where the provider has them. */
const readHyperparameters = (body: NewJob): JsonObject =>
  givenHyperparameters(toHyperparameters({ hyperparameters: body.hyperparameters, method: body.method }));

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'object' && Object.keys(value).length === 0);

/**
 * The hyperparameters of a job, for a provider that has no others. Throws the `GatewayError` `invalid-input` for what the
 * provider does not have: a job never silently differs from what was asked for.
 */
export const givenWithin = (body: NewJob, { provider, methods, lacks = rarelySupported }: Bounds): JsonObject => {
  const problem = (tokens: readonly PointerToken[], hint: string): InputProblem => ({
    pointer: toPointer(tokens),
    message: `${provider} has no "${tokens.join('.')}" of fine-tuning jobs.`,
    hint,
  });
  const given = readHyperparameters(body);
  const known = methods[body.method.type];
  const unknown = known === undefined ? [] : Object.keys(given).filter((name) => !known.includes(name));
  refuse([
    ...(known !== undefined
      ? []
      : [
          {
            pointer: toPointer(['method', 'type']),
            message: `${provider} has no fine-tuning by the method "${body.method.type}".`,
            hint: `Send one that it has: ${Object.keys(methods).join(', ')}.`,
          },
        ]),
    ...lacks.filter((name) => isGiven(body[name])).map((name) => problem([name], 'Leave it out.')),
    ...unknown.map((name) => problem(['hyperparameters', name], `Leave it out. It has ${known?.join(', ')}.`)),
  ]);
  return given;
};

/** An address as it is, or percent-encoded as ids of files may be. */
export const toAddress = ({ scheme }: CloudStorage, name: string): string =>
  name.startsWith(`${scheme}%3A`) ? decodeURIComponent(name) : name;

const storages = { s3: { name: 'S3', object: 'key' }, gs: { name: 'Cloud Storage', object: 'object' } } as const;

/** What is wrong with a training file that is not in the storage of the provider. */
export const addressProblems = ({ scheme }: CloudStorage, training: string): readonly InputProblem[] => {
  const { name, object } = storages[scheme];
  const message = `"training_file" is not an address in ${name}.`;
  const hint = `Name a file of the gateway, or one in ${name} as '${scheme}://bucket/${object}'.`;
  return new RegExp(`^${scheme}://[^/]+/.`).test(training) ? [] : [memberProblem('training_file', message, hint)];
};
