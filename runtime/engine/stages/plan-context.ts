import type { LinkContext } from '../call/context.ts';
import type { StageCode } from './stage-code.ts';

/** The context that the nodes of one plan share while they are linked. Its leaves may have stages whose code is loaded late. */
export interface PlanContext extends LinkContext {
  readonly stageCode: StageCode;
}
