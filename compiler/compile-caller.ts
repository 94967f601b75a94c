import type { CompileResult } from '../schema/plan/plan.ts';
import type { CompileOptions } from './compile-options.ts';
import { lowerConfig } from './lower-config.ts';
import { rewrittenPlan } from './rewritten-plan.ts';

/** As `compile` does for a caller, without the code of the warnings for files: a gateway that reads none never loads it. */
export const compileCaller = (
  text: string,
  options: Pick<CompileOptions, 'catalogue' | 'saved' | 'showsNear'>,
): CompileResult => rewrittenPlan(lowerConfig(text, { ...options, trust: 'caller' }, { advice: [] }));
