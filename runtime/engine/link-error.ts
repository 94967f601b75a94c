import type { SecretRef } from '../../schema/plan/plan.ts';

/** A secret that has no value, or one that cannot be sent, with the problem that it is. */
export interface UnusableSecret {
  readonly ref: SecretRef;
  readonly problem: string;
}

/** A plan that cannot run on this gateway. `problems` lists everything missing, unusable or unknown, one sentence each. */
export class LinkError extends Error {
  readonly problems: readonly string[];
  /** The secrets that are unusable, which are among the problems. */
  readonly unusable: readonly UnusableSecret[];

  constructor(plan: string, problems: readonly string[], unusable: readonly UnusableSecret[] = []) {
    super(`The plan "${plan}" cannot be linked. ${problems.join(' ')}`);
    this.name = 'LinkError';
    this.problems = problems;
    this.unusable = unusable;
  }
}
