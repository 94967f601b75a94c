import type { Account } from '../accounts/account.ts';
import type { ControlParts } from '../control-parts.ts';
import type { NewBatchBody } from './batch-bodies.ts';
import type { BatchCall, Executor, ProviderCall } from './executor.ts';
import { managedExecutor } from './managed/managed-executor.ts';
import { nativeExecutor } from './native-executor.ts';
import { batchAdapters } from './providers/adapters.ts';
import type { BatchAdapter } from './providers/batch-adapter.ts';
import { mappedExecutor } from './providers/mapped-executor.ts';

/** Providers that run batches themselves, in OpenAI's form. */
const native: ReadonlySet<string> = new Set(['openai', 'azure-openai']);

/** Who runs batches. */
export interface Executors {
  /** In the order in which batches are listed. */
  readonly all: readonly Executor[];
  forNew(account: Pick<Account, 'provider'>, body: Pick<NewBatchBody, 'completion_window' | 'endpoint'>): Executor;
  /** Whoever runs the batch of an id. */
  of(id: string): Executor;
}

/** Providers run batches in OpenAI's form, or in one of their own. */
const providersExecutor = (parts: ControlParts): Executor => {
  const byProvider = nativeExecutor(parts, native);
  const adapterOf = (provider: string): BatchAdapter => {
    const adapter = batchAdapters.get(provider);
    if (adapter === undefined) throw new Error(`The provider ${provider} has no batches.`);
    return adapter;
  };
  const mapped = mappedExecutor(parts, adapterOf);
  const asked = async <Result>(
    call: BatchCall,
    run: (executor: Executor<ProviderCall>, known: ProviderCall) => Promise<Result>,
  ): Promise<Result> => {
    const account = await call.account();
    return run(batchAdapters.has(account.provider) ? mapped : byProvider, { ...call, account });
  };
  return {
    owns: (id) => byProvider.owns(id),
    create: (call, body) => asked(call, (at, known) => at.create(known, body)),
    retrieve: (call, id) => asked(call, (at, known) => at.retrieve(known, id)),
    cancel: (call, id) => asked(call, (at, known) => at.cancel(known, id)),
    output: (call, id) => asked(call, (at, known) => at.output(known, id)),
    list: (call, page) => asked(call, (at, known) => at.list(known, page)),
  };
};

export const executorsOf = (parts: ControlParts): Executors => {
  const managed = managedExecutor(parts);
  const providers = providersExecutor(parts);
  return {
    all: [managed, providers],
    forNew({ provider }, { completion_window: window, endpoint }) {
      const runs = native.has(provider) || batchAdapters.get(provider)?.endpoints.includes(endpoint) === true;
      return window === '24h' && runs ? providers : managed;
    },
    of: (id) => (managed.owns(id) ? managed : providers),
  };
};
