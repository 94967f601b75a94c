import { operatorChecks } from './check/operator-checks.ts';
import { portable } from './check/portable.ts';
import type { Check } from './check/visitor/define-check.ts';
import type { CompileOptions } from './compile-options.ts';
import { reportOpenLeaves } from './lower/report-open-leaves.ts';
import { sealPlan } from './lower/seal-plan.ts';
import { type LoweredConfig, lowerConfig } from './lower-config.ts';
import { reportComparison } from './resolve/conditions/report-comparison.ts';
import { reportPath } from './resolve/conditions/report-path.ts';
import type { ConditionAdvice } from './resolve/context/compile-context.ts';
import { type CompilerResult, rewrittenPlan } from './rewritten-plan.ts';

export type { CompileOptions } from './compile-options.ts';

/** Returns the warnings for a config. Only those of files have a reader. */
const toAdvice = ({ trust, portable: isPortable = false }: CompileOptions): readonly Check[] => {
  if (trust !== 'operator') return [];
  return isPortable ? [...operatorChecks, portable] : operatorChecks;
};

/** Warns about conditions that match nothing, everything, or something other than they seem to. */
const conditionAdvice: ConditionAdvice = { ofPath: reportPath, ofUse: reportComparison };

const lowered = (text: string, options: CompileOptions, findingsOnly = false): LoweredConfig =>
  lowerConfig(text, options, {
    findingsOnly,
    advice: toAdvice(options),
    ...(options.trust === 'caller' ? {} : { conditionAdvice }),
    ofPlan: reportOpenLeaves,
  });

/**
 * Compiles a config to a plan, or returns what is wrong with it. A user's mistake is a diagnostic, never an exception. The same
 * text and options give the same result. The order of keys does not matter.
 */
export const compile = (text: string, options: CompileOptions): CompilerResult => rewrittenPlan(lowered(text, options));

/** The findings of a config, without its plan. */
export interface CheckedConfig extends Omit<CompilerResult, 'plan'> {
  /** The name that its plan would have; absent if it has errors. */
  readonly name?: string;
}

/** Returns the findings of `compile`, without building a plan. */
export const checkConfig = (text: string, options: CompileOptions): CheckedConfig => {
  const { parts: _, ...found } = lowered(text, options, true);
  return found;
};

/** Returns the plan as the config states it, before any rewrite. The laws compare with it. */
export const compileUnrewritten = (text: string, options: CompileOptions): CompilerResult => {
  const { parts, name: _, ...rest } = lowered(text, options);
  return parts === undefined ? rest : { plan: sealPlan(parts), ...rest };
};
