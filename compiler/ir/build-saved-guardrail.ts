import type { CheckPhase } from '../../schema/trail.ts';
import { suggestion } from '../diagnostics/closest.ts';
import type { Place } from '../diagnostics/reporter.ts';
import { guardrailHook } from './build-guardrail.ts';
import type { CompileContext } from './compile-context.ts';
import type { IrHook } from './ir-hook.ts';

/** The guardrail that the gateway file saves under a slug. What is wrong inside it is shown where it is named. */
export const buildSavedGuardrail = (
  slug: string,
  shownAt: Place,
  phase: CheckPhase,
  context: CompileContext,
): IrHook | undefined => {
  const { saved, reporter, trust } = context;
  const value = Object.hasOwn(saved.guardrails, slug) ? saved.guardrails[slug] : undefined;
  if (value !== undefined)
    return { ...guardrailHook({ value, pointer: shownAt.pointer, id: slug, phase, shownAt }, context), savedAs: slug };
  // Whoever sends a config with a request is not told what else is saved.
  const known = trust === 'operator' ? suggestion(slug, Object.keys(saved.guardrails), 'Saved are') : '';
  reporter.report('unknown-guardrail', shownAt, { slug, suggestion: known });
  return undefined;
};
