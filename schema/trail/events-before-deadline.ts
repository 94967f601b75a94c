import type { RequestScript } from './request-script.ts';
import type { TrailEvent } from './trail.ts';

type During = NonNullable<RequestScript['deadlinePasses']>['during'];

/** Whether a deadline may have caused an event. If it passed during an attempt, it may have ended that attempt. */
const mayBeOfDeadline = (event: TrailEvent, during: During): boolean => {
  switch (event.kind) {
    case 'deadlinePassed':
    case 'circuitChanged':
    case 'streamFailed':
    case 'notContinued':
      return true;
    case 'hedgeEnded':
      return event.result !== 'refused';
    case 'attempted':
      return during === 'call' && event.origin === 'timeout';
    default:
      return false;
  }
};

/** Returns how many events a recorded trail had when its deadline passed. */
export const eventsBeforeDeadline = (recorded: readonly TrailEvent[], during: During): number =>
  recorded.findLastIndex((event) => !mayBeOfDeadline(event, during)) + 1;
