import type { CompileResult } from '../schema/plan/plan.ts';
import type { CompileOptions } from './compile-options.ts';
import { lowerConfig } from './lower-config.ts';
import { rewrittenPlan } from './rewritten-plan.ts';

/**
 * Compiles a config of a caller without loading the code of the warnings for files, so that a gateway that reads no files never
 * loads it.
 */
export const compileCaller = (
  text: string,
  options: Pick<CompileOptions, 'catalogue' | 'saved' | 'showsNear'>,
): CompileResult => rewrittenPlan(lowerConfig(text, { ...options, trust: 'caller' }, { advice: [] }));
