import type { CompileResult } from '../schema/plan.ts';
import type { CompileOptions } from './compile-options.ts';
import { sealPlan } from './lower/seal-plan.ts';
import { lowerConfig } from './lower-config.ts';
import { rewritePlan } from './rewrites/rewrite-plan.ts';

export type { CompileOptions } from './compile-options.ts';

/**
 * A config as a plan, or what is wrong with it. A user's mistake is a diagnostic, never an exception. The same text and
 * options give the same result, and the order of keys means nothing.
 */
export const compile = (text: string, options: CompileOptions): CompileResult => {
  const { parts, secrets, diagnostics } = lowerConfig(text, options);
  if (parts === undefined) return { secrets, diagnostics };
  return { plan: sealPlan({ ...parts, root: rewritePlan(parts.root) }), secrets, diagnostics };
};

/** The plan as the config says it, before any rewrite: what the laws compare with. */
export const compileUnrewritten = (text: string, options: CompileOptions): CompileResult => {
  const { parts, secrets, diagnostics } = lowerConfig(text, options);
  return parts === undefined ? { secrets, diagnostics } : { plan: sealPlan(parts), secrets, diagnostics };
};
