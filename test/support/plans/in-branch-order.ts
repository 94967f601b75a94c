import { mergeOutcomes } from '../../../compiler/semantics/merge-outcomes.ts';
import type { Meaning, OutcomeMirror, RequestOutcome, ScenarioOutcome } from '../../../compiler/semantics/outcome.ts';
import { parseRational } from '../../../compiler/semantics/rational.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';

type Hedged = Extract<TrailEvent, { kind: 'hedged' }>;

/** Returns the events of the first of two branches, then those of the second, and then how they ended. */
const sorted = (trail: readonly TrailEvent[], at: number, hedged: Hedged): readonly TrailEvent[] => {
  const { path, to } = hedged;
  const rest = trail.slice(at + 1);
  const length = rest.findIndex((event) => event.kind === 'hedgeEnded' && event.path === path);
  const both = rest.slice(0, length);
  const second = childPointer(path, 'targets', to);
  const isOfSecond = (event: TrailEvent): boolean => 'path' in event && `${event.path}/`.startsWith(`${second}/`);
  return [
    ...trail.slice(0, at + 1),
    ...both.filter((event) => !isOfSecond(event)),
    ...both.filter(isOfSecond),
    ...rest.slice(length),
  ];
};

/** Returns a trail in branch order if a deadline ended two branches at the same moment. */
export const trailInBranchOrder = (trail: readonly TrailEvent[]): readonly TrailEvent[] => {
  if (trail.at(-1)?.kind !== 'deadlinePassed') return trail;
  return trail.reduce<readonly TrailEvent[]>(
    (before, event, at) => (event.kind === 'hedged' ? sorted(before, at, event) : before),
    trail,
  );
};

/** Returns copies in the order of a trail. */
export const mirrorsInOrder = (
  mirrors: readonly OutcomeMirror[],
  trail: readonly TrailEvent[],
): readonly OutcomeMirror[] => {
  const sent = trail.flatMap((event) => (event.kind === 'mirrored' ? [event.target] : []));
  return mirrors.toSorted((one, other) => sent.indexOf(one.target) - sent.indexOf(other.target));
};

const requestInBranchOrder = (request: RequestOutcome): RequestOutcome => {
  const trail = trailInBranchOrder(request.trail);
  const { mirrors } = request;
  return { ...request, trail, ...(mirrors === undefined ? {} : { mirrors: mirrorsInOrder(mirrors, trail) }) };
};

/** Returns the same outcome, independent of which branch was reported first when a deadline ended both. */
const outcomeInBranchOrder = (outcome: ScenarioOutcome): ScenarioOutcome => ({
  ...outcome,
  requests: outcome.requests.map(requestInBranchOrder),
});

/** Applies this to all outcomes. */
export const inBranchOrder = (meaning: Meaning): Meaning =>
  mergeOutcomes(
    meaning.map(({ probability, outcome }) => ({
      probability: parseRational(probability),
      outcome: outcomeInBranchOrder(outcome),
    })),
  );
