import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { type PointerToken, toPointer } from '../../../../../schema/json/pointer.ts';
import { memberProblem, refuse } from '../../../kernel/requests/refusals.ts';
import type { Account } from '../../provider-requests/account.ts';
import type { CopiedFile } from '../../provider-requests/file-copies.ts';
import type { CloudStorage } from '../../provider-requests/storage/cloud-storage.ts';
import type { MethodType, NewJob } from '../job/new-job.ts';
import { givenHyperparameters, placedHyperparameters } from '../job/normalised.ts';

/** A page of the checkpoints or events of a job. */
export interface JobPage {
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface Listed {
  readonly data: readonly JsonObject[];
  readonly hasMore: boolean;
}

/**
 * Fine-tuning as one provider has it, in OpenAI's terms; results need not have all members. All methods throw a `ProviderRefusal`
 * if the provider refuses.
 */
export interface TuningExecutor {
  /** `native`: the provider has OpenAI's interface itself. */
  readonly kind: 'native' | 'mapped';
  /** Throws the `GatewayError` `invalid-input` for what the provider does not support. */
  create(body: NewJob, account: Account): Promise<JsonObject>;
  retrieve(id: string, account: Account): Promise<JsonObject>;
  cancel(id: string, account: Account): Promise<JsonObject>;
  /** Absent if a job cannot be paused. */
  pause?(id: string, account: Account): Promise<JsonObject>;
  resume?(id: string, account: Account): Promise<JsonObject>;
  /**
   * Returns the newest jobs of the account, whoever created them, starting after the job `after` if the provider supports that.
   * Absent if the provider's list does not contain whole jobs.
   */
  recent?(account: Account, after?: string): Promise<readonly JsonObject[]>;
  checkpoints(id: string, page: JobPage, account: Account): Promise<Listed>;
  events(id: string, page: JobPage, account: Account): Promise<Listed>;
  /** Copies a file of the gateway into the account, and resolves to its name there. */
  upload(file: CopiedFile, account: Account): Promise<string>;
  /** Returns the prefix of the names of copies, if an account has several places for them. Throws like `create`. */
  toPlace?(account: Account): string;
}

export const emptyList: Listed = { data: [], hasMore: false };

interface Bounds {
  readonly provider: string;
  /** The methods that the provider supports, each with its hyperparameters, by OpenAI's names. */
  readonly methods: Readonly<Partial<Record<MethodType, readonly string[]>>>;
  /** The members that it cannot express; `seed`, `integrations`, `metadata` and `role_arn` if absent. */
  readonly lacks?: readonly ('seed' | 'integrations' | 'metadata' | 'role_arn' | 'validation_file')[];
}

const rarelySupported = ['seed', 'integrations', 'metadata', 'role_arn'] as const;

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Picks the hyperparameters of a job for a provider that supports no others. Throws the `GatewayError` `invalid-input` for what
 * the provider does not support, so that a job never silently differs from the request.
 */
export const supportedHyperparameters = (
  body: NewJob,
  { provider, methods, lacks = rarelySupported }: Bounds,
): JsonObject => {
  const problem = (tokens: readonly PointerToken[], hint: string): InputProblem => ({
    pointer: toPointer(tokens),
    message: `${provider} does not support "${tokens.join('.')}" for fine-tuning jobs.`,
    hint,
  });
  const { values, place } = placedHyperparameters(body);
  const given = givenHyperparameters(values);
  const known = methods[body.method.type];
  const unknown = known === undefined ? [] : Object.keys(given).filter((name) => !known.includes(name));
  refuse([
    ...(known !== undefined
      ? []
      : [
          {
            pointer: toPointer(['method', 'type']),
            message: `${provider} does not support the fine-tuning method "${body.method.type}".`,
            hint: `Send one that it supports: ${Object.keys(methods).join(', ')}.`,
          },
        ]),
    ...lacks.filter((name) => isGiven(body[name])).map((name) => problem([name], 'Omit it.')),
    ...unknown.map((name) => problem([...place, name], `Omit it. The provider supports ${known?.join(', ')}.`)),
  ]);
  return given;
};

/** Returns an address that is plain, or percent-encoded as ids of files may be. */
export const toAddress = ({ scheme }: CloudStorage, name: string): string =>
  name.startsWith(`${scheme}%3A`) ? decodeURIComponent(name) : name;

const storages = { s3: { name: 'S3', object: 'key' }, gs: { name: 'Cloud Storage', object: 'object' } } as const;

/** Finds what is wrong with a training file that is not in the storage of the provider. */
export const addressProblems = ({ scheme }: CloudStorage, training: string): readonly InputProblem[] => {
  const { name, object } = storages[scheme];
  const message = `"training_file" is not an address in ${name}.`;
  const hint = `Send the id of a file of the gateway, or the address of one in ${name}: '${scheme}://bucket/${object}'.`;
  return new RegExp(`^${scheme}://[^/]+/.`).test(training) ? [] : [memberProblem('training_file', message, hint)];
};
