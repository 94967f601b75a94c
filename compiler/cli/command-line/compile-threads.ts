import type { KeptCompileResult } from '../../../schema/plan/plan.ts';
import type { EmittedPlan, PlanToEmit } from '../../emit/emit-plan.ts';
import type { CompileCommandOptions } from './services.ts';

/** A config that another thread compiles, in the environment of the command. */
export interface ThreadConfig extends Omit<CompileCommandOptions, 'environment' | 'trust'> {
  readonly text: string;
}

/** Threads that do what the command's own would do. */
export interface CompileThreads {
  /** How many threads there are. */
  readonly count: number;
  compile(config: ThreadConfig): Promise<KeptCompileResult>;
  emit(plan: PlanToEmit): Promise<EmittedPlan>;
}
