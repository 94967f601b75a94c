import { conditionAdvice } from './check/conditions/condition-advice.ts';
import { operatorChecks } from './check/operator-checks.ts';
import { portable } from './check/portable.ts';
import type { Check } from './check/visitor/define-check.ts';
import type { CompileOptions } from './compile-options.ts';
import { reportOpenLeaves } from './lower/report-open-leaves.ts';
import { sealPlan } from './lower/seal-plan.ts';
import { type LoweredConfig, lowerConfig } from './lower-config.ts';
import { type CompilerResult, rewrittenPlan } from './rewritten-plan.ts';

export type { CompileOptions } from './compile-options.ts';

/** The warnings of a config: only those of a file are read by somebody. */
const toAdvice = ({ trust, portable: isPortable = false }: CompileOptions): readonly Check[] => {
  if (trust !== 'operator') return [];
  return isPortable ? [...operatorChecks, portable] : operatorChecks;
};

const lowered = (text: string, options: CompileOptions, findingsOnly = false): LoweredConfig =>
  lowerConfig(text, options, {
    findingsOnly,
    advice: toAdvice(options),
    ...(options.trust === 'caller' ? {} : { conditionAdvice }),
    ofPlan: reportOpenLeaves,
  });

/**
 * A config as a plan, or what is wrong with it. A user's mistake is a diagnostic, never an exception. The same text and
 * options give the same result, and the order of keys means nothing.
 */
export const compile = (text: string, options: CompileOptions): CompilerResult => rewrittenPlan(lowered(text, options));

/** The findings of a config, without its plan. */
export interface CheckedConfig extends Omit<CompilerResult, 'plan'> {
  /** The name that its plan would have; absent where it has errors. */
  readonly name?: string;
}

/** Finds what `compile` finds, and makes no plan. */
export const checkConfig = (text: string, options: CompileOptions): CheckedConfig => {
  const { parts: _, ...found } = lowered(text, options, true);
  return found;
};

/** The plan as the config says it, before any rewrite: what the laws compare with. */
export const compileUnrewritten = (text: string, options: CompileOptions): CompilerResult => {
  const { parts, name: _, ...rest } = lowered(text, options);
  return parts === undefined ? rest : { plan: sealPlan(parts), ...rest };
};
