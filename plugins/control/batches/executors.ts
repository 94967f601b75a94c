import type { ControlParts } from '../control-parts.ts';
import type { BatchProvider, Executor } from './executor.ts';
import { managedExecutor } from './managed/managed-executor.ts';
import { nativeExecutor } from './native-executor.ts';

/** Providers that run batches themselves, in OpenAI's form. */
const native: ReadonlySet<string> = new Set(['openai', 'azure-openai']);

/** Who runs batches. */
export interface Executors {
  /** In the order in which batches are listed. */
  readonly all: readonly Executor[];
  forNew(provider: BatchProvider, window: 'immediate' | '24h'): Executor;
  /** Whoever runs the batch of an id. */
  of(id: string): Executor;
}

export const executorsOf = (parts: ControlParts): Executors => {
  const managed = managedExecutor(parts);
  const byProvider = nativeExecutor(parts, native);
  return {
    all: [managed, byProvider],
    forNew: ({ provider }, window) => (window === '24h' && native.has(provider) ? byProvider : managed),
    of: (id) => (managed.owns(id) ? managed : byProvider),
  };
};
