import type { TrailEvent } from './trail.ts';

/** The event without when its attempt was made, and why it was not answered: a repetition of its request has other ones. */
export const withoutTimes = (event: TrailEvent): TrailEvent => {
  if (event.kind !== 'attempted' || (event.ms === undefined && event.cause === undefined)) return event;
  const { ms: _ms, cause: _cause, ...rest } = event;
  return rest;
};
