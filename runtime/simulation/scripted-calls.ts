import type { JsonPointer } from '../../schema/json/pointer.ts';
import type { UpstreamStep } from '../../schema/trail/request-script.ts';

/** Returns the steps of a script, each once. */
export class ScriptedCalls {
  readonly #steps: number;
  readonly #left: UpstreamStep[];

  constructor(steps: readonly UpstreamStep[]) {
    this.#steps = steps.length;
    this.#left = [...steps];
  }

  /** Returns the number of used steps. */
  get taken(): number {
    return this.#steps - this.#left.length;
  }

  /** Returns the number of unused steps. */
  get left(): number {
    return this.#left.length;
  }

  /** Returns the first unused step that names this target and leaf, or none. Undefined if there is none. */
  take(target: string, path: JsonPointer): UpstreamStep | undefined {
    const at = this.#left.findIndex(
      (step) =>
        (step.target === undefined || step.target === target) && (step.path === undefined || step.path === path),
    );
    const [step] = at === -1 ? [] : this.#left.splice(at, 1);
    return step;
  }
}
