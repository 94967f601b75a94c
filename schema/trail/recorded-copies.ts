import type { TrailEvent, TrailEventOf } from './trail.ts';

/** A copy of a request, and its place in the recorded trail. */
export interface RecordedCopy {
  readonly at: number;
  readonly event: TrailEventOf<'mirrored'>;
}

/** Returns the copies of a recorded request. A replay does not repeat them, because they had no influence on the request. */
export const recordedCopies = (trail: readonly TrailEvent[]): readonly RecordedCopy[] =>
  trail.flatMap((event, at) => (event.kind === 'mirrored' ? [{ at, event }] : []));

/** Returns a trail with the copies of the recorded trail inserted at their places there. */
export const withCopies = (trail: readonly TrailEvent[], copies: readonly RecordedCopy[]): readonly TrailEvent[] =>
  copies.reduce<readonly TrailEvent[]>((before, { at, event }) => before.toSpliced(at, 0, event), trail);
