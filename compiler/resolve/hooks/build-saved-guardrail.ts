import type { JsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { Place } from '../../diagnostics/reporter.ts';
import { savedSuggestion, slugsOf } from '../../diagnostics/saved-suggestion.ts';
import type { CompileContext } from '../context/compile-context.ts';
import type { IrHook } from '../tree/ir-hook.ts';
import { guardrailHook } from './guardrail-hook.ts';

/** How a config uses a saved guardrail. */
export interface SavedGuardrailUse {
  readonly shownAt: Place;
  readonly phase: CheckPhase;
  /** Members with which the config overrides the saved ones. */
  readonly own?: JsonObject;
}

/** Builds the guardrail that the gateway file saves under a slug. Findings inside it are shown where it is named. */
export const buildSavedGuardrail = (
  slug: string,
  { shownAt, phase, own = {} }: SavedGuardrailUse,
  context: CompileContext,
): IrHook | undefined => {
  const { saved, reporter, trust, showsNear, missing } = context;
  const { pointer } = shownAt;
  const value = lookUp(saved.guardrails, slug);
  if (value !== undefined) {
    const { sequential, ...members } = value;
    const hook = guardrailHook(
      { value: { ...members, ...own }, pointer, id: slug, phase, shownAt, isSequential: sequential === true },
      context,
    );
    return { ...hook, savedAs: slug };
  }
  missing.push({ kind: 'guardrails', name: slug, at: pointer });
  const names = slugsOf(saved.guardrails);
  const known = savedSuggestion(slug, { member: 'guardrails', names, trust, showsNear });
  reporter.report('unknown-guardrail', shownAt, { slug, suggestion: known });
  return undefined;
};
