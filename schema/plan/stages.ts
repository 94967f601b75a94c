import type { CheckCall, CheckHook, LeafNode, Stage, StageKind, StageOf } from './plan.ts';

/** Returns a leaf's stage of a kind, if it has one. */
export const findStage = <Kind extends StageKind>({ stages }: LeafNode, kind: Kind): StageOf<Kind> | undefined =>
  stages.find((stage: Stage): stage is StageOf<Kind> => stage.kind === kind);

/** Whether a stage consists of checks, of requests or of responses. */
export const isCheckStage = (stage: Stage): stage is StageOf<'input-checks' | 'output-checks'> =>
  stage.kind === 'input-checks' || stage.kind === 'output-checks';

/** Lists the hooks of a stage; none if it is of another kind. */
export const listHooks = (stage: Stage): readonly CheckHook[] => (isCheckStage(stage) ? stage.hooks : []);

/** Lists the checks of a stage; none if it is of another kind. */
export const listChecks = (stage: Stage): readonly CheckCall[] => listHooks(stage).flatMap(({ checks }) => checks);
