import type { TrailEvent, TrailEventOf } from '../../schema/trail/trail.ts';

/**
 * Returns a repeated verdict with the errors of checks that it had when it was recorded: at the same place, and after as many
 * others there.
 */
const asErred = (
  { erred: _erred, ...event }: TrailEventOf<'checked'>,
  earlier: readonly TrailEvent[],
  recorded: readonly TrailEvent[],
): TrailEvent => {
  const isOfPlace = (each: TrailEvent): boolean =>
    each.kind === 'checked' && each.path === event.path && each.phase === event.phase;
  const before = recorded.filter(isOfPlace)[earlier.filter(isOfPlace).length];
  return before?.kind === 'checked' && before.erred ? { ...event, erred: true } : event;
};

/**
 * Returns a repeated trail whose verdicts have the recorded errors. A recorded check returns its result, which does not include
 * that it failed to judge. A trail that repeats nothing is returned unchanged.
 */
export const withRecordedErrors = (
  trail: readonly TrailEvent[],
  recorded: readonly TrailEvent[] | undefined,
): readonly TrailEvent[] =>
  recorded === undefined
    ? [...trail]
    : trail.map((event, at) => (event.kind === 'checked' ? asErred(event, trail.slice(0, at), recorded) : event));
