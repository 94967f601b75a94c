import type { JsonPointer } from '../../schema/json/pointer.ts';
import type { TrailEvent, WhyNotContinued } from '../../schema/trail/trail.ts';
import { linkContinue } from '../engine/continuing/link-continue.ts';
import type { StageCode } from '../engine/stages/stage-code.ts';

/** The reasons that follow from the plan and the answers that are replayed; all others were in what the stream said. */
const repeated: ReadonlySet<WhyNotContinued> = new Set(['not-listed', 'no-branch', 'refused']);

/** The reasons, in the order of the breaks of a fallback's streams; undefined for one that follows from the replay itself. */
const reasonsAt = (trail: readonly TrailEvent[], path: JsonPointer): (WhyNotContinued | undefined)[] =>
  trail.flatMap((event): (WhyNotContinued | undefined)[] => {
    if (event.kind === 'continued' && event.path === path) return [undefined];
    if (event.kind !== 'notContinued' || event.path !== path || event.reason === 'not-listed') return [];
    return [repeated.has(event.reason) ? undefined : event.reason];
  });

/** Streams do not go on where they did not when a request was recorded: logs contain no bodies that would say why. */
export const recordedContinues = (stageCode: StageCode, trail: readonly TrailEvent[]): StageCode => ({
  ...stageCode,
  continuing: () => ({
    linkContinue: (node, execute, context) => {
      const reasons = reasonsAt(trail, node.path);
      return linkContinue(node, execute, { ...context, recordedReason: () => reasons.shift() });
    },
  }),
});
