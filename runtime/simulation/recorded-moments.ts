import type { JsonPointer } from '../../schema/json/pointer.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';
import type { StartAlarm } from '../engine/hedge/alarm.ts';
import * as hedgeCode from '../engine/hedge/hedge-code.ts';
import type { Turns } from './turns.ts';

/** Returns how many events the trail had when a fallback started its second branch, or -1 if it did not. */
const momentOf = (path: JsonPointer, trail: readonly TrailEvent[]): number =>
  trail.findIndex(
    (event) =>
      (event.kind === 'hedged' || (event.kind === 'hedgeEnded' && event.result === 'refused')) && event.path === path,
  );

/** Starts hedges when the trail says so, because it is not recorded how long answers took. */
export const recordedMoments = (trail: readonly TrailEvent[], turns: Turns): typeof hedgeCode => ({
  ...hedgeCode,
  linkHedge: (options, context) => {
    const afterEvents = momentOf(options.node.path, trail);
    const begin: StartAlarm = () => ({
      firesBefore: (work) =>
        new Promise((settle) => {
          const settled = (): void => settle(false);
          work.then(settled, settled);
          if (afterEvents < 0) return;
          // A little later than the first branch, so that it does not time out at the same moment.
          const come = (): void => void context.ports.clock.after(1, () => settle(true));
          (turns.wait({ afterEvents }) ?? Promise.resolve()).then(come);
        }),
    });
    return hedgeCode.linkHedge(options, context, begin);
  },
});
