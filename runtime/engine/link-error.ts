import type { SecretRef } from '../../schema/plan/plan.ts';

/** A secret that has no value or cannot be sent, with a description of the problem. */
export interface UnusableSecret {
  readonly ref: SecretRef;
  readonly problem: string;
}

/**
 * Thrown for a plan that cannot run on this gateway. `problems` lists everything missing, unusable or unknown, in one sentence
 * each.
 */
export class LinkError extends Error {
  readonly problems: readonly string[];
  /** The unusable secrets. They are also among the problems. */
  readonly unusable: readonly UnusableSecret[];

  constructor(plan: string, problems: readonly string[], unusable: readonly UnusableSecret[] = []) {
    super(`The plan "${plan}" cannot be linked. ${problems.join(' ')}`);
    this.name = 'LinkError';
    this.problems = problems;
    this.unusable = unusable;
  }
}
