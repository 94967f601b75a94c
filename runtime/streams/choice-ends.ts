import type { AnswerEvent, AnswerEventOf } from '../../schema/conversation/answer.ts';
import { isNamelessCall } from '../../schema/conversation/answer-parts.ts';

/** The choices of a stream that have begun, and whether each has finished. */
export class ChoiceEnds {
  readonly #choices = new Map<number, boolean>();
  #isRefused = false;
  #hasNamelessCall = false;

  note(event: AnswerEvent): void {
    if (!('choice' in event) || event.choice === undefined) return;
    if (isNamelessCall(event)) this.#hasNamelessCall = true;
    if (event.kind === 'finish') this.#finish(event);
    else if (!this.#choices.has(event.choice)) this.#choices.set(event.choice, false);
  }

  /** Whether this many choices are complete, or there are none because the prompt was refused. */
  haveFinished(wanted: number): boolean {
    return this.areWhole && (this.#isRefused || this.#choices.size >= wanted);
  }

  #finish({ choice, finish }: AnswerEventOf<'finish'>): void {
    this.#choices.set(choice, true);
    this.#isRefused ||= finish.reason === 'blocked-prompt';
  }

  /**
   * Whether every choice that began has finished, and each call has a name. The first choice is in every answer, and many formats
   * have no others.
   */
  get areWhole(): boolean {
    return !this.#hasNamelessCall && this.#choices.has(0) && [...this.#choices.values()].every(Boolean);
  }
}
