import type { ControlParts } from '../control-parts.ts';
import type { NewBatchBody } from './batch-bodies.ts';
import type { BatchCall, BatchProvider, Executor } from './executor.ts';
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
  forNew(provider: BatchProvider, body: Pick<NewBatchBody, 'completion_window' | 'endpoint'>): Executor;
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
  const at = async (call: BatchCall): Promise<Executor> =>
    batchAdapters.has((await call.provider()).provider) ? mapped : byProvider;
  return {
    owns: (id) => byProvider.owns(id),
    create: async (call, body) => (await at(call)).create(call, body),
    retrieve: async (call, id) => (await at(call)).retrieve(call, id),
    cancel: async (call, id) => (await at(call)).cancel(call, id),
    output: async (call, id) => (await at(call)).output(call, id),
    list: async (call, page) => (await at(call)).list(call, page),
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
