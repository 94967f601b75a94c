import type { EmittedPlan, PlanToEmit } from '../../emit/emit-plan.ts';
import type { CompiledConfig, ConfigToCompile } from './config-to-compile.ts';

/** A config that another thread compiles, in the environment of the command. */
export interface ThreadConfig extends ConfigToCompile {
  readonly text: string;
  /** Whether the thread writes the plan as JSON and does not return the plan itself; false if absent. */
  readonly writes?: boolean;
}

/** Threads that do what the command's own thread would do. */
export interface CompileThreads {
  /** How many threads there are. */
  readonly count: number;
  compile(config: ThreadConfig): Promise<CompiledConfig>;
  emit(plan: PlanToEmit): Promise<EmittedPlan>;
}
