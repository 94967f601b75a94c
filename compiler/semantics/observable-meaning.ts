import type { TrailEvent } from '../../schema/trail/trail.ts';
import { mergeOutcomes } from './merge-outcomes.ts';
import type { Meaning } from './outcome.ts';
import { parseRational } from './rational.ts';

/** Events about a plan's own shape, which a rewrite may change. */
const groupEvents: ReadonlySet<TrailEvent['kind']> = new Set([
  ...(['unable', 'skipped', 'chose', 'fellBack', 'hedged', 'hedgeEnded', 'continued', 'notContinued'] as const),
]);

/**
 * Returns a meaning without the events of groups: what a rewrite must preserve, and what a config means whatever its plan looks
 * like.
 */
export const observableMeaning = (meaning: Meaning): Meaning =>
  mergeOutcomes(
    meaning.map(({ probability, outcome }) => ({
      probability: parseRational(probability),
      outcome: {
        ...outcome,
        requests: outcome.requests.map((request) => ({
          ...request,
          trail: request.trail.filter(({ kind }) => !groupEvents.has(kind)),
        })),
      },
    })),
  );
