import type { CheckPhase } from '../../schema/trail.ts';
import type { Place } from '../diagnostics/reporter.ts';
import { savedSuggestion } from '../diagnostics/saved-suggestion.ts';
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
  const known = savedSuggestion(slug, { member: 'guardrails', names: Object.keys(saved.guardrails), trust });
  reporter.report('unknown-guardrail', shownAt, { slug, suggestion: known });
  return undefined;
};
