import type { AnswerEvent } from '../../schema/conversation.ts';

/** The choices of a stream that have begun, and whether each has finished. */
export class ChoiceEnds {
  readonly #choices = new Map<number, boolean>();

  note(event: AnswerEvent): void {
    if (!('choice' in event) || event.choice === undefined) return;
    if (event.kind === 'finish') this.#choices.set(event.choice, true);
    else if (!this.#choices.has(event.choice)) this.#choices.set(event.choice, false);
  }

  /** Whether every choice that began has finished. The first is in every answer, and many formats have no other. */
  get areWhole(): boolean {
    return this.#choices.has(0) && [...this.#choices.values()].every(Boolean);
  }
}
