import type { AfterRequestHook, BeforeRequestHook, Check as CheckCall } from '../../../schema/generated/config.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { SoundItem } from '../../schema-errors/usable-parts.ts';
import type { CompileContext } from '../context/compile-context.ts';
import type { IrHook } from '../tree/ir-hook.ts';
import { buildCheck } from './build-check.ts';
import { buildSavedGuardrail } from './build-saved-guardrail.ts';
import { hookFeedback } from './hook-feedback.ts';

type Hook = BeforeRequestHook & AfterRequestHook;

const soundChecks = (
  checks: readonly CheckCall[],
  pointer: JsonPointer,
  { sound }: CompileContext,
): readonly SoundItem<CheckCall>[] =>
  sound
    .items(checks, pointer)
    .filter((check) => ['id', 'parameters'].every((member) => !sound.isUnusable(childPointer(check.pointer, member))));

/** Returns the members with which a hook overrides the guardrail that it names. The validator has checked that it is JSON. */
const ownMembers = ({ id: _id, type: _type, checks: _checks, ...own }: Hook): JsonObject => own as JsonObject;

/** Builds a hook in long form. A hook without checks stands for a saved guardrail. Hooks on answers never deny. */
export const buildHook = (
  { value, pointer }: SoundItem<BeforeRequestHook | AfterRequestHook>,
  phase: CheckPhase,
  context: CompileContext,
): IrHook | undefined => {
  const hook: Hook = value;
  const { id, checks, type = 'guardrail', async = false, on_fail: onFail, on_success: onSuccess } = hook;
  const deny = { onFail: onFail?.deny === true, onSuccess: onSuccess?.deny === true };
  const at = childPointer(pointer, 'id');
  if (checks === undefined) {
    if (context.sound.isUnusable(childPointer(pointer, 'checks')) || context.sound.isUnusable(at)) return undefined;
    const shownAt = { pointer: at, part: 'value' } as const;
    const saved = buildSavedGuardrail(id, { shownAt, phase, own: ownMembers(hook) }, context);
    if (saved === undefined) return undefined;
    return { ...saved, type, ...(phase === 'input' ? {} : { deny: { onFail: false, onSuccess: false } }) };
  }
  return {
    pointer,
    phase,
    id,
    type,
    async,
    deny,
    feedback: hookFeedback(onFail, onSuccess),
    checks: soundChecks(checks, childPointer(pointer, 'checks'), context).map((check) =>
      buildCheck(
        {
          name: check.value.id,
          nameAt: { pointer: childPointer(check.pointer, 'id'), part: 'value' },
          parameters: check.value.parameters as JsonObject,
          parametersAt: childPointer(check.pointer, 'parameters'),
        },
        context,
      ),
    ),
  };
};
