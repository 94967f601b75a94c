import type { TrailEvent } from './trail.ts';

type Mirrored = Extract<TrailEvent, { kind: 'mirrored' }>;

/** A copy of a request, and its place in the recorded trail. */
export interface RecordedCopy {
  readonly at: number;
  readonly event: Mirrored;
}

/** The copies of a recorded request: what a replay does not repeat, since they had no part in what became of the request. */
export const recordedCopies = (trail: readonly TrailEvent[]): readonly RecordedCopy[] =>
  trail.flatMap((event, at) => (event.kind === 'mirrored' ? [{ at, event }] : []));

/** A trail with the copies of the recorded one, each at its place there. */
export const withCopies = (trail: readonly TrailEvent[], copies: readonly RecordedCopy[]): readonly TrailEvent[] =>
  copies.reduce<readonly TrailEvent[]>((before, { at, event }) => before.toSpliced(at, 0, event), trail);
