import type { Scenario } from '../../../compiler/semantics/scenario.ts';
import { choosers } from '../../../plugins/choosers/choosers.ts';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { defineGuardrail, fail, pass } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider } from '../../../plugins/sdk/provider/provider.ts';
import { mapNonEmpty } from '../../../schema/json/map-non-empty.ts';
import type { CheckHook, PlanNode, Stage } from '../../../schema/plan/plan.ts';
import { scriptedCheck, scriptedProvider } from '../arbitraries/scripted.ts';

/** The provider and the check of generated plans, which follow a scenario. */
export const scriptedPlugin = (checks: Scenario['checks']): Plugin => {
  const counts = new Map<string, number>();
  const guardrail = defineGuardrail({
    id: scriptedCheck,
    parameters: {
      type: 'object',
      properties: {
        hook: { type: 'string', default: '' },
        target: { type: 'string', default: '' },
        background: { type: 'boolean', default: false },
      },
    },
    create: ({ hook, target, background }) => {
      if (background) return () => fail('nobody waits for this');
      return (input) => {
        // Reads the target, because a scripted verdict that depends on it must not be shared with other targets.
        void input.target;
        const key = `${hook} ${target}`;
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        const verdict = checks?.(hook, target, count) ?? 'pass';
        if (verdict === 'pass') return pass();
        const failed = fail('as scripted');
        return verdict === 'retry' ? { ...failed, retry: { say: 'Again.' } } : failed;
      };
    },
  });
  const provider = defineProvider({
    id: scriptedProvider,
    documentation: 'test/support/in-process/scripted-plugin.ts',
    credential: 'optional',
    speaks: { chat: '/chat/completions' },
    headers: ({ api_key: key }) => (key === undefined ? [] : ['authorization', `Bearer ${key}`]),
  });
  return definePlugin({
    name: 'scripted',
    providers: [provider],
    dialects: [chat],
    guardrails: [guardrail],
    choosers: choosers,
  });
};

const markHook = (hook: CheckHook): CheckHook => ({
  ...hook,
  checks: hook.checks.map((check) => ({ ...check, parameters: { ...check.parameters, background: hook.async } })),
});

const markStage = (stage: Stage): Stage =>
  stage.kind === 'input-checks' || stage.kind === 'output-checks'
    ? { ...stage, hooks: mapNonEmpty(stage.hooks, markHook) }
    : stage;

/** Verdicts are scripted only for hooks that are waited for. Checks in background hooks get a parameter that marks them. */
export const markBackground = (node: PlanNode): PlanNode => {
  switch (node.kind) {
    case 'leaf':
      return { ...node, stages: node.stages.map(markStage) };
    case 'loadbalance':
      return {
        ...node,
        branches: mapNonEmpty(node.branches, (branch) => ({ ...branch, node: markBackground(branch.node) })),
      };
    case 'fallback':
    case 'conditional':
      return { ...node, branches: mapNonEmpty(node.branches, markBackground) };
  }
};
