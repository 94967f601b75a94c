import type { SecretRef } from '../../schema/plan/plan.ts';

/** A secret that has no value, with the problem that it is. */
export interface MissingSecret {
  readonly ref: SecretRef;
  readonly problem: string;
}

/** A plan that cannot run on this gateway. `problems` lists everything missing or unknown, one sentence each. */
export class LinkError extends Error {
  readonly problems: readonly string[];
  /** The secrets that are missing, which are among the problems. */
  readonly missing: readonly MissingSecret[];

  constructor(plan: string, problems: readonly string[], missing: readonly MissingSecret[] = []) {
    super(`The plan "${plan}" cannot be linked. ${problems.join(' ')}`);
    this.name = 'LinkError';
    this.problems = problems;
    this.missing = missing;
  }
}
