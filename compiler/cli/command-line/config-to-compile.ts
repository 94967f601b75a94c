import type { KeptCompileResult, RoutingPlan } from '../../../schema/plan/plan.ts';

/** The file of a config, and how it is compiled. */
export interface ConfigToCompile {
  readonly file: string;
  /** The name of the plan if its config does not state one. */
  readonly name: string;
  /** Whether to warn about what other gateways for its format do not support; false if absent. */
  readonly portable?: boolean;
  /**
   * Whether its findings and the name of its plan are enough; false if absent. If a plugin runs in a process of its own, a plan
   * is built anyway, because that is when the plugin reports whether it can be linked.
   */
  readonly findingsOnly?: boolean;
}

/** A plan that was written as JSON where it was built, and the facts about it that a command shows. */
export interface WrittenPlan extends Pick<RoutingPlan, 'name' | 'hash' | 'bounds'> {
  readonly json: string;
}

/** A compiled config. If only findings were wanted, it has the name of its plan instead of the plan, unless it has errors. */
export interface CompiledConfig extends KeptCompileResult {
  readonly name?: string;
  /** Replaces the plan if `writes` was set. */
  readonly written?: WrittenPlan;
}
