import { findCheck } from '../../../plugins/sdk/plugin/catalogue.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { Place } from '../../diagnostics/reporter.ts';
import type { CompileContext } from '../context/compile-context.ts';
import type { IrCheck, IrHook } from '../tree/ir-hook.ts';
import { buildCheck, checkName } from './build-check.ts';
import { hookFeedback } from './hook-feedback.ts';

/** The members of a guardrail object that are not checks. */
export const hookMembers: ReadonlySet<string> = new Set(['id', 'deny', 'async', 'on_fail', 'on_success']);

export interface GuardrailText {
  readonly value: JsonObject;
  readonly pointer: JsonPointer;
  readonly id: string;
  readonly phase: CheckPhase;
  readonly shownAt?: Place;
  /** Whether its checks run in the order in which they are written; false if absent. */
  readonly isSequential?: boolean;
}

/** Returns how a member names its check: by its `id`, so that one check may occur twice, or by its key. */
const namedBy = (key: string, parameters: JsonObject, { catalogue }: CompileContext): 'id' | 'key' =>
  typeof parameters.id === 'string' &&
  (findCheck(catalogue, checkName(parameters.id)) !== undefined || findCheck(catalogue, checkName(key)) === undefined)
    ? 'id'
    : 'key';

const readCheck = (key: string, parameters: JsonObject, text: GuardrailText, context: CompileContext): IrCheck => {
  const at = childPointer(text.pointer, key);
  const byId = namedBy(key, parameters, context) === 'id';
  return buildCheck(
    {
      name: byId ? String(parameters.id) : key,
      nameAt: byId ? { pointer: childPointer(at, 'id'), part: 'value' } : { pointer: at, part: 'key' },
      parameters,
      parametersAt: at,
      ...(text.shownAt === undefined ? {} : { shownAt: text.shownAt }),
    },
    context,
  );
};

/**
 * Converts a guardrail object to long form. Checks are sorted by name, because the order of keys does not matter except for a
 * saved guardrail that requires it.
 */
export const guardrailHook = (text: GuardrailText, context: CompileContext): IrHook => {
  const { value, pointer, phase, isSequential = false } = text;
  const onFail = isJsonObject(value.on_fail) ? value.on_fail : undefined;
  const onSuccess = isJsonObject(value.on_success) ? value.on_success : undefined;
  const written = Object.entries(value).filter(([key]) => !hookMembers.has(key));
  const checks = isSequential ? written : written.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    pointer: text.shownAt?.pointer ?? pointer,
    phase,
    id: typeof value.id === 'string' ? value.id : text.id,
    type: 'guardrail',
    async: value.async === true,
    ...(isSequential ? { sequential: true } : {}),
    deny: { onFail: value.deny === true || onFail?.deny === true, onSuccess: onSuccess?.deny === true },
    feedback: hookFeedback(onFail, onSuccess),
    checks: checks.flatMap(([key, parameters]) =>
      isJsonObject(parameters) ? [readCheck(key, parameters, text, context)] : [],
    ),
  };
};
