/** A plan that cannot run on this gateway. `problems` lists everything missing or unknown, one sentence each. */
export class LinkError extends Error {
  readonly problems: readonly string[];

  constructor(plan: string, problems: readonly string[]) {
    super(`The plan "${plan}" cannot be linked. ${problems.join(' ')}`);
    this.name = 'LinkError';
    this.problems = problems;
  }
}
