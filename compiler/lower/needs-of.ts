import type { NeedReason, Needs, Stage, Target } from '../../schema/plan.ts';

type Setting = NeedReason['setting'];

const reasons = (body: NeedReason['body'], settings: readonly Setting[]): readonly NeedReason[] =>
  settings.map((setting) => ({ body, setting }));

const isStaged = (stages: readonly Stage[], kind: Stage['kind']): boolean =>
  stages.some((stage) => stage.kind === kind);

/** Checks that the answer waits for add `hook_results` to it. */
const hasWaitingInputChecks = (stages: readonly Stage[]): boolean =>
  stages.some((stage) => stage.kind === 'input-checks' && stage.hooks.some((hook) => !hook.async));

const chosen = (wanted: readonly (readonly [Setting, boolean])[]): readonly Setting[] =>
  wanted.flatMap(([setting, is]) => (is ? [setting] : []));

/** What a leaf asks of the bodies, and why. */
export const needsOf = (target: Pick<Target, 'model' | 'params'>, stages: readonly Stage[]): Needs => {
  const edits = chosen([
    ['override_params', Object.keys(target.params.override).length > 0],
    ['model', target.model !== undefined],
  ]);
  const reads = chosen([
    ['input-checks', isStaged(stages, 'input-checks')],
    ['output-checks', isStaged(stages, 'output-checks')],
    ['cache', isStaged(stages, 'cache')],
  ]);
  const answer = chosen([
    ['input-checks', hasWaitingInputChecks(stages)],
    ['output-checks', isStaged(stages, 'output-checks')],
    ['cache', isStaged(stages, 'cache')],
  ]);
  return {
    request: edits.length > 0 ? 'edit' : reads.length > 0 ? 'read' : 'pass',
    answer: answer.length > 0 ? 'read' : 'pass',
    because: [...reasons('request', [...edits, ...reads]), ...reasons('answer', answer)],
  };
};
