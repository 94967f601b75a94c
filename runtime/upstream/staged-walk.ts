import type { StreamStage } from '../../plugins/sdk/hooks.ts';
import type { RoadStep, RoadWalk } from './road-walk.ts';
import { createStageChain } from './stage-chain.ts';

/** A walk whose bytes pass through stages. An error event passes them by, and what they hold back then is dropped. */
export const stagedWalk = (walk: RoadWalk, stages: readonly StreamStage[]): RoadWalk => {
  const chain = createStageChain(stages);
  return {
    get opened() {
      return walk.opened;
    },
    get isClosed() {
      return walk.isClosed;
    },
    get heldBytes() {
      return walk.heldBytes;
    },
    push: (chunk) => {
      const step = walk.push(chunk);
      return { ...step, bytes: chain.push(step.bytes) };
    },
    finish: (): RoadStep => {
      const step = walk.finish();
      const bytes = chain.push(step.bytes);
      return step.broken === undefined ? { bytes: Buffer.concat([bytes, chain.end()]) } : { ...step, bytes };
    },
    fail: (report) => walk.fail(report),
  };
};
