import type { ThreadConfig } from '../../compiler/cli/command-line/compile-threads.ts';
import type { PlanToEmit } from '../../compiler/emit/emit-plan.ts';

/** The context of a thread's configs. The thread reads the environment itself, because an environment contains functions. */
export interface ThreadStart {
  readonly cwd: string;
  readonly gatewayFile: string | undefined;
  readonly text: string | undefined;
}

export type ThreadJob =
  | { readonly kind: 'compile'; readonly config: ThreadConfig }
  | { readonly kind: 'emit'; readonly plan: PlanToEmit };

/** The answer to a job. A thread answers jobs in order. */
export type FromCompileThread =
  | { readonly kind: 'done'; readonly result: unknown }
  /** A mistake of the user: a `UsageError`, which would lose its class when it is sent. */
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string }
  | { readonly kind: 'failed'; readonly error: Error };
