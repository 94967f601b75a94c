/** Thrown if the process of a call does not start its check, so that another process may run it. */
export class NotBegun extends Error {
  constructor() {
    super('The process did not begin the check.');
  }
}
