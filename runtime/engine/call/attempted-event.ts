import type { ErrorCode } from '../../../schema/errors/errors.ts';
import type { Origin } from '../../../schema/http/status.ts';
import type { Writable } from '../../../schema/json/writable.ts';
import type { TrailEventOf } from '../../../schema/trail/trail.ts';
import type { LeafCall } from './leaf-call.ts';

/** The parts of an answer that determine how its attempt ended. */
export interface AttemptAnswer {
  readonly target: string;
  readonly status: number;
  readonly origin: Origin;
  /** The error code, if it is an error of the gateway itself. */
  readonly cause?: ErrorCode | undefined;
}

/** Creates the event of an attempt when its answer has arrived. */
export const attemptedEvent = (
  { leaf: { path }, key, attempts: attempt, attemptMs: ms, queuedMs, outgoing }: LeafCall,
  { target, status, origin, cause }: AttemptAnswer,
): TrailEventOf<'attempted'> => {
  const event: Writable<TrailEventOf<'attempted'>> = { kind: 'attempted', path, target, attempt, status, origin };
  if (key !== undefined) event.key = key;
  if (ms !== undefined) {
    event.ms = ms;
    if (cause !== undefined) event.cause = cause;
  }
  const requests = outgoing?.split?.sent;
  if (requests !== undefined) event.requests = requests;
  if (queuedMs !== undefined) event.queuedMs = queuedMs;
  return event;
};
