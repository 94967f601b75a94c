import type { JsonPointer } from '../../schema/json/pointer.ts';
import type { UpstreamStep } from '../../schema/trail/request-script.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';
import type { ScriptedCalls } from './scripted-calls.ts';

/** An attempt, by its leaf and its number there. */
export interface Attempt {
  readonly path: JsonPointer;
  readonly attempt: number;
}

interface Waiting {
  readonly isDue: () => boolean;
  readonly settle: () => void;
}

/** Lets upstreams answer in the recorded order: when as much has happened as had then. */
export class Turns {
  readonly #trail: readonly TrailEvent[];
  readonly #calls: ScriptedCalls;
  #waiting: readonly Waiting[] = [];
  #leftOut: readonly Attempt[] = [];

  constructor(trail: TrailEvent[], calls: ScriptedCalls) {
    this.#trail = trail;
    this.#calls = calls;
    // Hooks are not notified of every event.
    trail.push = (...events) => {
      const length = Array.prototype.push.apply(
        trail,
        events.filter((event) => !this.#isLeftOut(event)),
      );
      this.look();
      return length;
    };
  }

  /** Settles when a step may answer. Undefined if it may now. */
  wait({
    afterEvents = 0,
    afterCalls = 0,
  }: Pick<UpstreamStep, 'afterEvents' | 'afterCalls'>): Promise<void> | undefined {
    const isDue = (): boolean => this.#trail.length >= afterEvents && this.#calls.taken >= afterCalls;
    if (isDue()) return undefined;
    return new Promise((settle) => {
      this.#waiting = [...this.#waiting, { isDue, settle }];
    });
  }

  /**
   * Omits an attempt from the trail if it is cancelled: its branch was cancelled while it waited to send it, and that wait takes
   * less time here than another branch took then.
   */
  leaveOut(attempt: Attempt): void {
    this.#leftOut = [...this.#leftOut, attempt];
  }

  #isLeftOut(event: TrailEvent): boolean {
    return (
      event.kind === 'attempted' &&
      event.origin === 'gateway' &&
      this.#leftOut.some(({ path, attempt }) => path === event.path && attempt === event.attempt)
    );
  }

  /** Called when something has happened. */
  look(): void {
    const due = this.#waiting.filter(({ isDue }) => isDue());
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((each) => !due.includes(each));
    for (const { settle } of due) settle();
  }
}
