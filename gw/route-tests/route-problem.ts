/** A test that cannot be run as it is written. Has the problem, and what to do. */
export class RouteProblem extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'RouteProblem';
    this.hint = hint;
  }
}
