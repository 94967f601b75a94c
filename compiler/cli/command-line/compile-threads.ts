import type { KeptCompileResult } from '../../../schema/plan/plan.ts';
import type { EmittedPlan, PlanToEmit } from '../../emit/emit-plan.ts';

/** A config that another thread compiles, in the environment of the command. */
export interface ThreadConfig {
  readonly file: string;
  /** The name of the plan where its config does not say one. */
  readonly name: string;
  readonly text: string;
  /** Whether it is warned of what other gateways for its format do not know; false where absent. */
  readonly portable?: boolean;
}

/** Threads that do what the command's own would do. */
export interface CompileThreads {
  /** How many threads there are. */
  readonly count: number;
  compile(config: ThreadConfig): Promise<KeptCompileResult>;
  emit(plan: PlanToEmit): Promise<EmittedPlan>;
}
