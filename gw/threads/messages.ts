import type { ThreadConfig } from '../../compiler/cli/command-line/compile-threads.ts';
import type { PlanToEmit } from '../../compiler/emit/emit-plan.ts';

/** The context of a thread's configs: the thread reads the environment itself, since it has functions. */
export interface ThreadStart {
  readonly cwd: string;
  readonly gatewayFile: string | undefined;
  readonly text: string | undefined;
}

export type ThreadJob =
  | { readonly kind: 'compile'; readonly config: ThreadConfig }
  | { readonly kind: 'emit'; readonly plan: PlanToEmit };

/** The answer to a job; a thread answers them in their order. */
export type FromCompileThread =
  | { readonly kind: 'done'; readonly result: unknown }
  /** The user can correct it: a `UsageError`, which would lose its kind on the way. */
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string }
  | { readonly kind: 'failed'; readonly error: Error };
