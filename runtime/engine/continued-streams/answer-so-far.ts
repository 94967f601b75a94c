import type { AnswerEvent, AnswerEventOf } from '../../../schema/conversation/answer.ts';
import type { WhyNotContinued } from '../../../schema/trail/trail.ts';

const whyNotAfter = ({ part }: AnswerEventOf<'part'>): WhyNotContinued =>
  part.kind === 'server-tool-call' || part.kind === 'server-tool-result' ? 'tool-call' : 'media';

/** Follows an answer event by event: its text so far, and why it may not continue elsewhere. */
export class AnswerSoFar {
  text = '';
  /** Whether its client knows its id. */
  hasBegun = false;
  /** Whether the last content is not known yet: a call that has begun may be read as a whole. */
  isHeld = false;
  /** The number of the next part. */
  nextBlock = 0;
  /** The part that the next text belongs to, if the last event was a text. */
  openText: number | undefined;
  #whyNot: WhyNotContinued | undefined;
  /** The reasoning that has not ended. */
  #openReasoning: number | undefined;

  /** Returns why it may not continue elsewhere. Undefined if it may. */
  get whyNot(): WhyNotContinued | undefined {
    if (this.#whyNot !== undefined) return this.#whyNot;
    if (this.#openReasoning !== undefined) return 'reasoning';
    return this.isHeld ? 'unreadable' : undefined;
  }

  note(event: AnswerEvent): void {
    if ('choice' in event && event.choice !== undefined && event.choice > 0) this.#whyNot ??= 'several-answers';
    if ('block' in event) this.nextBlock = Math.max(this.nextBlock, event.block + 1);
    switch (event.kind) {
      case 'start':
        this.hasBegun = true;
        break;
      case 'text':
        this.text += event.text;
        this.openText = event.block;
        this.#openReasoning = undefined;
        break;
      case 'reasoning':
        this.openText = undefined;
        this.#openReasoning = event.block;
        if (event.bound !== undefined) this.#whyNot ??= 'reasoning';
        break;
      case 'block-end':
        if (this.openText === event.block) this.openText = undefined;
        if (this.#openReasoning === event.block) this.#openReasoning = undefined;
        break;
      case 'refusal':
        this.#whyNot ??= 'refusal';
        break;
      case 'tool-call':
      case 'tool-arguments':
        this.#whyNot ??= 'tool-call';
        break;
      case 'part':
        this.#whyNot ??= whyNotAfter(event);
        break;
      case 'finish':
      case 'end':
        this.#whyNot ??= 'finished';
        break;
      case 'error':
        this.#whyNot ??= 'unreadable';
        break;
      default:
        break;
    }
  }
}
