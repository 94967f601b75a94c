import type { InputGuardrail, OutputGuardrail } from '../../../schema/generated/config.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { SoundItem } from '../../schema-errors/usable-parts.ts';
import type { CompileContext } from '../context/compile-context.ts';
import type { IrHook } from '../tree/ir-hook.ts';
import { buildSavedGuardrail } from './build-saved-guardrail.ts';
import { guardrailHook, hookMembers } from './guardrail-hook.ts';

/** Returns the slug that an object without checks of its own names; undefined if one of its own checks was invalid. */
const savedSlug = (value: JsonObject, pointer: JsonPointer, { sound }: CompileContext): string | undefined => {
  const { id } = value;
  if (typeof id !== 'string' || !sound.isFullyUsable(pointer)) return undefined;
  return Object.keys(value).every((key) => hookMembers.has(key)) ? id : undefined;
};

/**
 * Builds an item of `input_guardrails` or `output_guardrails`: the slug of a saved guardrail, an object whose `id` is that slug
 * and whose other members override the saved ones, or the guardrail itself.
 */
export const buildGuardrail = (
  { value, pointer, index }: SoundItem<InputGuardrail | OutputGuardrail>,
  phase: CheckPhase,
  context: CompileContext,
): IrHook | undefined => {
  if (typeof value === 'string')
    return buildSavedGuardrail(value, { shownAt: { pointer, part: 'value' }, phase }, context);
  // The validator has checked that a guardrail's members are JSON.
  const guardrail = value as JsonObject;
  const slug = savedSlug(guardrail, pointer, context);
  if (slug === undefined)
    return guardrailHook({ value: guardrail, pointer, id: `${phase}_guardrail_${index + 1}`, phase }, context);
  const shownAt = { pointer: childPointer(pointer, 'id'), part: 'value' } as const;
  return buildSavedGuardrail(slug, { shownAt, phase, own: guardrail }, context);
};
