import type { UpstreamStep } from '../../schema/trail/request-script.ts';

/** Returns the steps of a script, each once. */
export class ScriptedCalls {
  readonly #left: UpstreamStep[];

  constructor(steps: readonly UpstreamStep[]) {
    this.#left = [...steps];
  }

  /** The number of unused steps. */
  get left(): number {
    return this.#left.length;
  }

  /** The first unused step that names this target or none; if there is none, a plain answer. */
  take(target: string): UpstreamStep {
    const at = this.#left.findIndex((step) => step.target === undefined || step.target === target);
    const [step = {}] = at === -1 ? [] : this.#left.splice(at, 1);
    return step;
  }
}
