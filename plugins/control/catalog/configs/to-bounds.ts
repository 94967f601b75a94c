import type { JsonObject } from '../../../../schema/json/json.ts';
import { listLeaves } from '../../../../schema/plan/list-leaves.ts';
import type { RoutingPlan } from '../../../../schema/plan/plan.ts';

/** What a request through a config may cost at the worst. */
export const boundsSchema = {
  type: 'object',
  required: ['leaves', 'attempts', 'longest_ms'],
  properties: {
    leaves: { type: 'integer', description: 'How many places can answer: targets, each where it stands.' },
    attempts: { type: 'integer', description: 'The most calls of providers for one request.' },
    longest_ms: {
      type: 'integer',
      description: 'The longest time until an answer begins, in milliseconds: every attempt times out.',
    },
  },
} as const;

export const toBounds = ({ root, bounds }: Pick<RoutingPlan, 'root' | 'bounds'>): JsonObject => ({
  leaves: listLeaves(root).length,
  attempts: bounds.calls,
  longest_ms: bounds.waitMs,
});
