import { type LabelRefusal, labelRefusal } from '../../../../schema/config/declared-labels.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import { invalidInput } from '../../../../schema/errors/invalid-input.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import { headerValue } from '../../../sdk/http/http.ts';
import { headerError } from '../../kernel/requests/refusals.ts';
import type { Account } from '../provider-requests/account.ts';
import type { WorkParts } from '../provider-requests/work-parts.ts';
import type { NewBatchBody } from './batch/batch-bodies.ts';
import type { BatchCall, Executor, ProviderCall, ProviderExecutor } from './batch/executor.ts';
import { managedExecutor } from './managed/managed-executor.ts';
import { nativeExecutor } from './native-executor.ts';
import { batchAdapters } from './providers/adapters.ts';
import { mappedExecutor } from './providers/mapped-executor.ts';
import { toLabels } from './providers/watched-batches.ts';

/** Providers that run batches themselves, in OpenAI's form. */
const native: ReadonlySet<string> = new Set(['openai', 'azure-openai']);

type NewBatch = Pick<NewBatchBody, 'completion_window' | 'endpoint'>;

/** Checks whether a provider runs a new batch itself. */
const runsItself = (provider: string, { completion_window: window, endpoint }: NewBatch): boolean =>
  window === '24h' && (native.has(provider) || batchAdapters.get(provider)?.endpoints.includes(endpoint) === true);

/** The executors of batches. */
export interface Executors {
  /** All executors, in the order in which batches are listed. */
  readonly all: readonly Executor[];
  forNew(account: Pick<Account, 'provider'>, body: NewBatch): Executor;
  /** Checks whether a new batch runs with a role. */
  takesRole(account: Pick<Account, 'provider'>, body: NewBatch): boolean;
  /** Finds the executor of a batch by its id. */
  of(id: string): Executor;
}

/** Creates a function that returns the executor of each provider that runs batches: in OpenAI's form, or in its own. */
export const providerExecutors = (parts: WorkParts): ((provider: string) => ProviderExecutor) => {
  const inOpenAiForm = nativeExecutor(parts, native);
  const mapped = new Map([...batchAdapters].map(([id, adapter]) => [id, mappedExecutor(parts, adapter)]));
  return (provider) => mapped.get(provider) ?? inOpenAiForm;
};

const config = 'x-gw-config';

/** Rejects options for how the gateway sends lines if a provider runs the lines. Throws the `GatewayError` `invalid-input`. */
const refusePlan = ({ account, context }: ProviderCall, { gw_options: options }: NewBatchBody): void => {
  const message = (what: string): string => `${account.slug} runs its batches itself, so ${what}.`;
  const hint = 'Omit it, or send "completion_window": "immediate".';
  if (options !== undefined)
    throw invalidInput([
      { pointer: toPointer(['gw_options']), message: message('no options of the gateway apply'), hint },
    ]);
  if (headerValue(context.headers, config) !== undefined)
    throw headerError(config, message('no config of the gateway applies'), hint);
};

/**
 * Rejects a batch that a provider runs if its labels are not allowed, as for model calls: its lines have no other labels. Throws
 * the `GatewayError` `invalid-header`.
 */
const refuseLabels = (findRefusal: LabelRefusal, call: ProviderCall): void => {
  const reason = findRefusal(toLabels(call), { callsModel: true });
  if (reason !== undefined) throw gatewayError('invalid-header', { header: 'x-gw-metadata', reason });
};

/** Creates the executor for all providers, which uses the account of a call to find the one that has the batch. */
const providersExecutor = (parts: WorkParts): Executor => {
  const toExecutor = providerExecutors(parts);
  let findRefusal: LabelRefusal | undefined;
  const asked = async <Result>(
    call: BatchCall,
    run: (executor: ProviderExecutor, known: ProviderCall) => Promise<Result>,
  ): Promise<Result> => {
    const account = await call.account();
    return run(toExecutor(account.provider), { ...call, account });
  };
  return {
    owns: (id) => !id.startsWith('gw-'),
    create: (call, body) =>
      asked(call, (at, known) => {
        refusePlan(known, body);
        findRefusal ??= labelRefusal(parts.overlay.saved.labels ?? {});
        refuseLabels(findRefusal, known);
        return at.create(known, body);
      }),
    retrieve: (call, id) => asked(call, (at, known) => at.retrieve(known, id)),
    cancel: (call, id) => asked(call, (at, known) => at.cancel(known, id)),
    output: (call, id) => asked(call, (at, known) => at.output(known, id)),
    list: (call, page) => asked(call, (at, known) => at.list(known, page)),
  };
};

export const toExecutors = (parts: WorkParts): Executors => {
  const managed = managedExecutor(parts);
  const providers = providersExecutor(parts);
  return {
    all: [managed, providers],
    forNew: ({ provider }, body) => (runsItself(provider, body) ? providers : managed),
    takesRole: ({ provider }, body) => provider === 'bedrock' && runsItself(provider, body),
    of: (id) => (managed.owns(id) ? managed : providers),
  };
};
