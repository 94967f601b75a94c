import type { KeptCompileResult, RoutingPlan } from '../../../schema/plan/plan.ts';

/** The file of a config, and how it is compiled. */
export interface ConfigToCompile {
  readonly file: string;
  /** The name of the plan where its config does not say one. */
  readonly name: string;
  /** Whether it is warned of what other gateways for its format do not know; false where absent. */
  readonly portable?: boolean;
  /**
   * Whether its findings and the name of its plan are enough; false where absent. Where a plugin is in a process of its own, a
   * plan is made anyway: making it asks the plugin whether it can be linked.
   */
  readonly findingsOnly?: boolean;
}

/** A plan that was written as JSON where it was made, and the rest of it that a command shows. */
export interface WrittenPlan extends Pick<RoutingPlan, 'name' | 'hash' | 'bounds'> {
  readonly json: string;
}

/** A config that was compiled. Where findings are enough, it has the name of its plan in place of that, unless it has errors. */
export interface CompiledConfig extends KeptCompileResult {
  readonly name?: string;
  /** In place of the plan, where it was wanted so. */
  readonly written?: WrittenPlan;
}
