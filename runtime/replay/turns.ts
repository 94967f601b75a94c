import type { UpstreamStep } from '../../schema/trail/request-script.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';
import type { ScriptedCalls } from './scripted-calls.ts';

interface Waiting {
  readonly isDue: () => boolean;
  readonly settle: () => void;
}

/** Lets upstreams answer in the order in which they did: when as much has happened as had then. */
export class Turns {
  readonly #trail: readonly TrailEvent[];
  readonly #calls: ScriptedCalls;
  #waiting: readonly Waiting[] = [];

  constructor(trail: TrailEvent[], calls: ScriptedCalls) {
    this.#trail = trail;
    this.#calls = calls;
    // Not every event is one that hooks hear of.
    trail.push = (...events) => {
      const length = Array.prototype.push.apply(trail, events);
      this.look();
      return length;
    };
  }

  /** Settles when a step may answer; undefined if it may now. */
  wait({ afterEvents = 0, afterCalls = 0 }: Pick<UpstreamStep, 'afterEvents' | 'afterCalls'>): Promise<void> | undefined {
    const isDue = (): boolean => this.#trail.length >= afterEvents && this.#calls.taken >= afterCalls;
    if (isDue()) return undefined;
    return new Promise((settle) => {
      this.#waiting = [...this.#waiting, { isDue, settle }];
    });
  }

  /** Something has happened. */
  look(): void {
    const due = this.#waiting.filter(({ isDue }) => isDue());
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((each) => !due.includes(each));
    for (const { settle } of due) settle();
  }
}
