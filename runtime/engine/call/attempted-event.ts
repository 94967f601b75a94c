import type { TrailEvent } from '../../../schema/trail/trail.ts';
import type { LeafCall } from './leaf-call.ts';

type Attempted = Extract<TrailEvent, { kind: 'attempted' }>;

/** Makes the event of an attempt when its answer is there. */
export const attemptedEvent = (
  { leaf: { path }, attempts: attempt, attemptMs: ms, outgoing }: LeafCall,
  { target, status, origin }: Pick<Attempted, 'target' | 'status' | 'origin'>,
): Attempted => {
  const event: Attempted =
    ms === undefined
      ? { kind: 'attempted', path, target, attempt, status, origin }
      : { kind: 'attempted', path, target, attempt, status, origin, ms };
  const requests = outgoing?.split?.sent;
  return requests === undefined ? event : { ...event, requests };
};
