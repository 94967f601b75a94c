import type { Clock } from '../../../sdk/clock.ts';
import { FailurePause } from '../../../sdk/time/failure-pause.ts';
import { type CountersPlace, capitalised } from './remote-counters.ts';

const failuresBeforePause = 3;
const pauseMs = 250;
/** The minimum time between two reports of short failures with the same instruction, in milliseconds. */
const logEveryMs = 60_000;
/** After this many milliseconds, a failure is not a short one. */
const longMs = 5_000;
/** If no decision has failed for this many milliseconds, other work that succeeds shows that decisions can be made. */
const quietMs = 2_000;

interface CountersAvailabilityOptions {
  readonly clock: Clock;
  readonly say: (text: string) => void;
  readonly place: CountersPlace;
  /** Whether other work than decisions is done all the time. If it is not, failures of other work count as those of decisions. */
  readonly hasUpkeep: boolean;
}

/**
 * Tracks whether remote counters respond to decisions, which requests wait for, and to everything else: settlements that are resent,
 * and the postings for the ledger. One of the two may fail alone, for example if commands are refused. Notifies the operator once of
 * each reason when they stop responding, and once when they respond again.
 */
export class CountersAvailability {
  readonly #now: () => number;
  readonly #say: (text: string) => void;
  readonly #place: CountersPlace;
  readonly #hasUpkeep: boolean;
  readonly #pause: FailurePause;
  /** How many decisions, and how much of the other work, failed one after another. */
  #failures = 0;
  #upkeepFailures = 0;
  /** When decisions last failed and last succeeded, when the other work first failed, and when anything first failed. */
  #failedAt = Number.NEGATIVE_INFINITY;
  #succeededAt = Number.NEGATIVE_INFINITY;
  #upkeepFailedAt = 0;
  #unavailableAt = 0;
  /** The instructions that were given for the current failure. */
  readonly #given = new Set<string>();
  /** When each instruction was last given. */
  readonly #givenAt = new Map<string, number>();

  constructor({ clock, say, place, hasUpkeep }: CountersAvailabilityOptions) {
    this.#now = () => clock.monotonic();
    this.#say = say;
    this.#place = place;
    this.#hasUpkeep = hasUpkeep;
    this.#pause = new FailurePause({ failures: failuresBeforePause, pauseMs, now: this.#now });
  }

  /**
   * Whether to query the counters. After several failures in a row they are queried only a few times a second, so that requests
   * do not wait.
   */
  enter(): boolean {
    return this.#pause.enter();
  }

  /** Whether the last decisions all failed, or the last other work. */
  isUnavailable(): boolean {
    return Math.max(this.#failures, this.#upkeepFailures) >= failuresBeforePause;
  }

  /** Called if a decision was made in time. */
  succeeded(): void {
    this.#succeededAt = this.#now();
    this.#pause.succeeded();
    this.#failures = 0;
    this.#checkOver();
  }

  /** Called if the counters were only read in time. They may nevertheless refuse to change. */
  looked(): void {
    if (!this.#hasUpkeep) this.succeeded();
  }

  /** Called if a decision was not made, or not in time. */
  failed(error: unknown): void {
    this.#began();
    this.#pause.failed();
    this.#failures += 1;
    this.#failedAt = this.#now();
    this.#report(error);
  }

  /** Called if the other work has been done. */
  upkeepSucceeded(): void {
    // What has failed for both at the same time is over for both. There may be no request that tries it.
    if (this.#upkeepFailures > 0 || this.#now() - this.#failedAt >= quietMs) {
      this.#pause.succeeded();
      this.#failures = 0;
    }
    this.#upkeepFailures = 0;
    this.#checkOver();
  }

  /** Called if some of the other work has failed. */
  upkeepFailed(error: unknown): void {
    if (!this.#hasUpkeep) {
      this.failed(error);
      return;
    }
    this.#began();
    if (this.#upkeepFailures === 0) this.#upkeepFailedAt = this.#now();
    this.#upkeepFailures += 1;
    // A second failure shows whether decisions fail, too.
    if (this.#upkeepFailures > 1) this.#report(error);
  }

  #isFailing(): boolean {
    return this.#failures + this.#upkeepFailures > 0;
  }

  #began(): void {
    if (!this.#isFailing()) this.#unavailableAt = this.#now();
  }

  #checkOver(): void {
    if (this.#isFailing() || this.#given.size === 0) return;
    this.#given.clear();
    this.#say(`gw: ${capitalised(this.#place.name)} answers again.\n`);
  }

  /**
   * Reports a failure, unless the instruction for it or a more specific one was given already, or recently for a failure that was
   * short, too.
   */
  #report(error: unknown): void {
    const { name, remedy, advice, describe } = this.#place;
    const specific = remedy?.(error);
    const instruction = specific ?? advice;
    if (this.#given.has(instruction) || (specific === undefined && this.#given.size > 0)) return;
    const now = this.#now();
    const isShort = now - this.#unavailableAt < longMs;
    const givenAt = this.#givenAt.get(instruction) ?? Number.NEGATIVE_INFINITY;
    if (isShort && now - givenAt < logEveryMs) return;
    this.#given.add(instruction);
    this.#givenAt.set(instruction, now);
    const isPartial = this.#failures === 0 && this.#succeededAt >= this.#upkeepFailedAt;
    this.#say(
      isPartial
        ? `gw: ${capitalised(name)} does not accept what requests have used (${describe(error)}). ${instruction}; until then, limits count what was reserved for them, and what they used is counted afterwards.\n`
        : `gw: ${capitalised(name)} cannot be used (${describe(error)}). ${instruction}; until then, limits of keys and others let requests through, and count them afterwards, unless a policy has "if_unknown": "refuse".\n`,
    );
  }
}
