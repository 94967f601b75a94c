import {
  credentialSecrets,
  type RoutingPlan,
  type SecretRef,
  secretRefs,
  type Target,
} from '../../schema/plan/plan.ts';
import type { TrailEvent, TrailEventOf } from '../../schema/trail/trail.ts';
import { discard } from '../engine/error-responses/discard.ts';
import type * as KeyStages from '../engine/stages/key-pools/key-stages.ts';
import { useKey } from '../engine/stages/key-pools/with-key.ts';

interface RecordedAttempt {
  readonly key: number;
  /** Whether an attempt with another key followed immediately. */
  readonly isFollowed: boolean;
}

/**
 * Between two attempts at one place there is a retry, or a check that requested one more. Before another key there is nothing.
 */
const attemptsAt = (
  trail: readonly TrailEvent[],
  path: TrailEventOf<'attempted'>['path'],
): readonly RecordedAttempt[] => {
  // Events of other leaves may come in between, if two are called at the same time.
  const events = trail.filter((event) => 'path' in event && event.path === path && event.kind !== 'settled');
  return events.flatMap((event, index) =>
    event.kind === 'attempted' && event.key !== undefined
      ? [{ key: event.key, isFollowed: events[index + 1]?.kind === 'attempted' }]
      : [],
  );
};

/** Sends the attempts of a leaf with the recorded keys, because it is not recorded which keys were available. */
export const recordedKeys =
  (trail: readonly TrailEvent[]): typeof KeyStages.linkKeys =>
  (inner, { leaf }) => {
    const attempts = attemptsAt(trail, leaf.path);
    return async (call) => {
      const keys = call.target.pool?.keys;
      if (keys === undefined) return inner(call);
      for (;;) {
        const { key, isFollowed } = attempts[call.attempts] ?? { key: 0, isFollowed: false };
        if (key < keys.keys.length) useKey(call, keys.target(key));
        const response = await inner(call);
        if (!isFollowed || call.run.ended) return response;
        discard(response);
        call.otherKeys += 1;
      }
    };
  };

/** Returns the references to the keys of a target that has several. */
const poolKeyRefs = ({ credential }: Target): readonly SecretRef[] =>
  credential?.kind === 'keys' ? secretRefs(credentialSecrets(credential)) : [];

/** Returns a different value for each key of a pool, and the same value for all other secrets. */
export const madeUpSecrets = ({ targets }: RoutingPlan): ((ref: SecretRef) => string) => {
  const refs = new Set(targets.flatMap(poolKeyRefs));
  return (ref) => (refs.has(ref) ? `replay ${ref}` : 'replay');
};

/** Returns a different value for each secret that is written in the plan's own text, by slot. */
export const madeUpSlots = ({ targets }: Pick<RoutingPlan, 'targets'>): readonly string[] => {
  const slots: string[] = [];
  for (const value of targets.flatMap(({ credential }) => credentialSecrets(credential)))
    if (value.kind === 'slot') slots[value.slot] = `replay ${value.slot}`;
  return slots;
};
