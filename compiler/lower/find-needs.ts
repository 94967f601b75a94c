import { type NeedReason, type Needs, type Stage, stageTable, type Target } from '../../schema/plan/plan.ts';

/** Whether the answer waits for a check of the stage, so that the results of the check are added to it. */
const addsResults = (stage: Stage): boolean =>
  stageTable[stage.kind].addsResults === true && 'hooks' in stage && stage.hooks.some((hook) => !hook.async);

/** Whether the purpose of a stage is to change the request. A guardrail may do so too, but only its verdicts show that. */
const changesRequest = (stage: Stage): boolean =>
  stage.kind === 'input-checks' && stage.hooks.some(({ type, async }) => type === 'mutator' && !async);

const reasons = (body: NeedReason['body'], settings: readonly NeedReason['setting'][]): readonly NeedReason[] =>
  settings.map((setting) => ({ body, setting }));

/** Returns what a leaf needs of bodies, with the reasons. */
export const findNeeds = (target: Pick<Target, 'model' | 'params' | 'prompt'>, stages: readonly Stage[]): Needs => {
  const edits: readonly NeedReason['setting'][] = [
    ...(target.prompt === undefined ? [] : (['prompt_id'] as const)),
    ...(Object.keys(target.params.override).length > 0 ? (['override_params'] as const) : []),
    ...(target.model === undefined ? [] : (['model'] as const)),
  ];
  const reads = stages.filter(({ kind }) => stageTable[kind].reads.includes('request')).map(({ kind }) => kind);
  const answer = stages
    .filter((stage) => stageTable[stage.kind].reads.includes('answer') || addsResults(stage))
    .map(({ kind }) => kind);
  return {
    request: edits.length > 0 || stages.some(changesRequest) ? 'edit' : reads.length > 0 ? 'read' : 'pass',
    answer: answer.length > 0 ? 'read' : 'pass',
    because: [...reasons('request', [...edits, ...reads]), ...reasons('answer', answer)],
  };
};

const removesVariables: NeedReason = { body: 'request', setting: 'prompt_id' };

/**
 * Returns the needs of a leaf beside one with a stored prompt: the variables of a request are meant for the prompt, and not sent.
 */
export const withoutVariables = (needs: Needs): Needs =>
  needs.because.some(({ setting }) => setting === 'prompt_id')
    ? needs
    : { ...needs, request: 'edit', because: [removesVariables, ...needs.because] };
