import { childPointer } from '../../../schema/json/pointer.ts';
import type { IrHook } from '../../resolve/tree/ir-hook.ts';
import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck, type IrParent } from '../visitor/define-check.ts';

const fields = {
  inputHooks: ['input_guardrails', 'before_request_hooks'],
  outputHooks: ['output_guardrails', 'after_request_hooks'],
} as const;

/** Returns a key that two hooks share if they are the same saved guardrail or have the same checks. */
const toKey = ({ savedAs, checks }: IrHook): string =>
  savedAs ?? JSON.stringify(checks.map(({ name, parameters }) => [name, parameters]));

const dropped = (node: IrNode, parent: IrParent, phase: keyof typeof fields): readonly IrHook[] => {
  const own = new Set((node.own[phase]?.value ?? []).map(toKey));
  return own.size === 0 ? [] : (parent.node.settings[phase]?.value ?? []).filter((hook) => !own.has(toKey(hook)));
};

/** Reports a target that replaces inherited guardrails with its own list. */
export const replacedGuardrails: Check = defineCheck({
  name: 'replaced-guardrails',
  create: ({ reporter }) => ({
    node(node, parent) {
      if (parent === undefined) return;
      const { config, pointer } = node;
      for (const phase of ['inputHooks', 'outputHooks'] as const) {
        const lost = dropped(node, parent, phase);
        if (lost.length === 0) continue;
        const field = fields[phase].find((each) => config[each] !== undefined) ?? fields[phase][0];
        const names = lost.map(({ savedAs, id }) => `"${savedAs ?? id}"`).join(', ');
        const guardrails = `${lost.length === 1 ? 'guardrail' : 'guardrails'} ${names} ${lost.length === 1 ? 'does' : 'do'}`;
        reporter.report(
          'replaced-guardrails',
          { pointer: childPointer(pointer, field), part: 'key' },
          { guardrails, names },
        );
      }
    },
  }),
});
