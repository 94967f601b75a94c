/** Thrown if a text or a value cannot be run as a plan. The message is one sentence for users. */
export class PlanLoadError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PlanLoadError';
  }
}
