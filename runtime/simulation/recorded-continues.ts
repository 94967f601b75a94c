import type { JsonPointer } from '../../schema/json/pointer.ts';
import type { TrailEvent, WhyNotContinued } from '../../schema/trail/trail.ts';
import { linkContinue } from '../engine/continued-streams/link-continue.ts';
import type { StageCode } from '../engine/stages/stage-code.ts';

/** The reasons that follow from the plan and the replayed answers. All others depended on the contents of the stream. */
const repeated: ReadonlySet<WhyNotContinued> = new Set(['not-listed', 'no-branch', 'refused']);

/**
 * Returns the reasons, in the order of the breaks of a fallback's streams. Undefined for one that follows from the replay itself.
 */
const reasonsAt = (trail: readonly TrailEvent[], path: JsonPointer): (WhyNotContinued | undefined)[] =>
  trail.flatMap((event): (WhyNotContinued | undefined)[] => {
    if (event.kind === 'continued' && event.path === path) return [undefined];
    if (event.kind !== 'notContinued' || event.path !== path || event.reason === 'not-listed') return [];
    return [repeated.has(event.reason) ? undefined : event.reason];
  });

/**
 * Keeps streams from continuing if they did not when a request was recorded, because logs contain no bodies that would show why.
 */
export const recordedContinues = (stageCode: StageCode, trail: readonly TrailEvent[]): StageCode => ({
  ...stageCode,
  continuing: () => ({
    linkContinue: (node, execute, context) => {
      const reasons = reasonsAt(trail, node.path);
      return linkContinue(node, execute, { ...context, recordedReason: () => reasons.shift() });
    },
  }),
});
