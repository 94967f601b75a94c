import { isJsonObject, type JsonObject } from '../../schema/json.ts';
import { childPointer } from '../../schema/pointer.ts';
import { type Check, defineCheck } from './define-check.ts';

const isDenying = ({ deny, on_fail: onFail }: JsonObject): boolean =>
  deny === true || (isJsonObject(onFail) && onFail.deny === true);

/** A guardrail that should deny is able to, and its settings do not contradict each other. */
export const guardrailDenials: Check = defineCheck({
  name: 'guardrail-denials',
  create: ({ reporter, saved }) => ({
    node({ config, pointer }) {
      for (const [index, { id, checks }] of (config.after_request_hooks ?? []).entries()) {
        const guardrail = Object.hasOwn(saved.guardrails, id) ? saved.guardrails[id] : undefined;
        if (checks === undefined && guardrail !== undefined && isDenying(guardrail))
          reporter.report(
            'no-effect',
            { pointer: childPointer(pointer, 'after_request_hooks', index, 'id'), part: 'value' },
            {
              setting: 'deny',
              why: `the guardrail "${id}" is saved with it, and hooks on answers never deny`,
              suggestion: 'Name the guardrail in "output_guardrails" to deny with it.',
            },
          );
      }
      for (const field of ['input_guardrails', 'output_guardrails'] as const)
        for (const [index, guardrail] of (config[field] ?? []).entries()) {
          if (typeof guardrail === 'string' || guardrail.deny !== true) continue;
          const at = childPointer(pointer, field, index);
          if (guardrail.async === true)
            reporter.report(
              'no-effect',
              { pointer: childPointer(at, 'deny'), part: 'key' },
              {
                setting: 'deny',
                why: 'an async guardrail runs in the background, and the answer does not wait for it',
                suggestion: 'Remove "async", or remove "deny".',
              },
            );
          // Only output guardrails have a `deny` there; members of a config are JSON.
          const outcome: object = guardrail.on_fail ?? {};
          if ('deny' in outcome && outcome.deny === false)
            reporter.report('contradicting-deny', { pointer: childPointer(at, 'on_fail', 'deny'), part: 'key' }, {});
        }
    },
  }),
});
