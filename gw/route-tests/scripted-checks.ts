import type { Guardrail } from '../../plugins/sdk/guardrail/guardrail.ts';
import { fail, pass } from '../../plugins/sdk/guardrail/guardrail.ts';
import { type Catalogue, findCheck } from '../../plugins/sdk/plugin/catalogue.ts';
import type { RouteTestVerdicts } from '../../schema/generated/route-test-file.ts';
import { mapLeaves } from '../../schema/plan/map-branches.ts';
import type { CheckCall, CheckHook, LeafNode, PlanNode, Stage } from '../../schema/plan/plan.ts';
import { isCheckStage, listHooks } from '../../schema/plan/stages.ts';

/** A plan in which some checks give the verdicts of a test, and those checks. */
export interface ScriptedChecks {
  readonly root: PlanNode;
  readonly guardrails: readonly Guardrail[];
}

export interface ScriptedChecksOptions {
  readonly root: PlanNode;
  readonly known: Catalogue['checks'];
  /** Returns the current verdicts, which may change from request to request. */
  readonly verdicts: () => RouteTestVerdicts;
  /** The names for which some request of the test has verdicts. */
  readonly names: ReadonlySet<string>;
}

/**
 * Returns the names of a check: its own, its `id` in the config, and that of its guardrail, which stands for all checks in it.
 */
const namesOf = ({ check, id }: CheckCall, hook: CheckHook): readonly string[] => [check, id, hook.id];

const isNamed = (names: readonly string[], name: string): boolean =>
  names.some((each) => each.toLowerCase() === name.toLowerCase());

/** Lists the names for which tests can specify verdicts at a leaf. */
export const listCheckNames = ({ stages }: LeafNode): readonly string[] =>
  stages.flatMap(listHooks).flatMap((hook) => hook.checks.flatMap((call) => namesOf(call, hook)));

/** Returns the check with another name. Its verdict is that of the test as long as the test has one. */
const scripted = (real: Guardrail, id: string, verdict: () => 'pass' | 'fail' | undefined): Guardrail =>
  // A check may be an instance of a class, whose methods a copy would lose.
  Object.create(real, {
    id: { value: id },
    aliases: { value: [] },
    create: {
      value: ((parameters, context) => {
        const judge = real.create(parameters, context);
        return (input, more) => {
          const given = verdict();
          if (given === undefined) return judge(input, more);
          return given === 'pass' ? pass() : fail('The route test says so.');
        };
      }) satisfies Guardrail['create'],
    },
  });

/** Makes the checks that a test names give its verdicts; all others judge what is sent. */
export const scriptedChecks = ({ root, known, verdicts, names }: ScriptedChecksOptions): ScriptedChecks => {
  const guardrails: Guardrail[] = [];

  const rename = (call: CheckCall, hook: CheckHook): CheckCall => {
    const real = findCheck({ checks: known }, call.check);
    const named = [...names].filter((name) => isNamed(namesOf(call, hook), name));
    if (real === undefined || named.length === 0) return call;
    const id = `scripted.${guardrails.length}`;
    const verdict = (): 'pass' | 'fail' | undefined => {
      const now = verdicts();
      return named.map((name) => now[name]).find((each) => each !== undefined);
    };
    guardrails.push(scripted(real, id, verdict));
    return { ...call, check: id };
  };

  const withVerdicts = (stage: Stage): Stage => {
    if (!isCheckStage(stage)) return stage;
    const [first, ...rest] = stage.hooks;
    const change = (hook: CheckHook): CheckHook => ({ ...hook, checks: hook.checks.map((call) => rename(call, hook)) });
    return { ...stage, hooks: [change(first), ...rest.map(change)] };
  };

  const changed = mapLeaves(root, (leaf) => ({ ...leaf, stages: leaf.stages.map(withVerdicts) }));
  return { root: names.size === 0 ? root : changed, guardrails };
};
