import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

const denies = ({ deny, on_fail: onFail }: JsonObject): boolean =>
  deny === true || (isJsonObject(onFail) && onFail.deny === true);

/** Checks that a saved guardrail that denies is not named where it cannot deny. */
export const savedDenials: Check = defineCheck({
  name: 'saved-denials',
  create: ({ reporter, saved }) => ({
    node({ config, pointer }) {
      for (const [index, { id, checks }] of (config.after_request_hooks ?? []).entries()) {
        const guardrail = Object.hasOwn(saved.guardrails, id) ? saved.guardrails[id] : undefined;
        if (checks !== undefined || guardrail === undefined || !denies(guardrail)) continue;
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
    },
  }),
});
