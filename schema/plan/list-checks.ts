import type { CheckCall, Stage } from './plan.ts';

/** Lists the checks of a stage; none if it is of another kind. */
export const listChecks = (stage: Stage): readonly CheckCall[] =>
  stage.kind === 'input-checks' || stage.kind === 'output-checks' ? stage.hooks.flatMap(({ checks }) => checks) : [];
