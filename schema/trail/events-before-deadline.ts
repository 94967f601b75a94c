import type { RequestScript } from './request-script.ts';
import type { TrailEvent } from './trail.ts';

type During = NonNullable<RequestScript['deadlinePasses']>['during'];

/** Whether an event may be due to a deadline: an attempt may have ended by it if it passed during one. */
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

/** How many events a recorded trail had when its deadline passed. */
export const eventsBeforeDeadline = (recorded: readonly TrailEvent[], during: During): number =>
  recorded.findLastIndex((event) => !mayBeOfDeadline(event, during)) + 1;
