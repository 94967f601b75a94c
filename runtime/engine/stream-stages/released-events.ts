import type { Answer, AnswerEvent } from '../../../schema/conversation/answer.ts';
import { foldAnswer } from '../../../schema/conversation/fold-answer.ts';

/** The maximum number of characters of an answer that are kept to be judged as a whole. */
const maxRetainedLength = 32 * 1024 * 1024;

const measureSize = (event: AnswerEvent): number => {
  switch (event.kind) {
    case 'text':
    case 'refusal':
    case 'tool-arguments':
      return event.text.length;
    case 'reasoning':
      return (event.text?.length ?? 0) + (event.summary?.text.length ?? 0);
    case 'tool-call':
      return event.extensions === undefined ? 0 : JSON.stringify(event.extensions).length;
    case 'part':
      return JSON.stringify(event.part).length;
    case 'extension':
      return JSON.stringify(event.value).length;
    case 'citation':
      return (event.citation.title?.length ?? 0) + (event.citation.quote?.length ?? 0);
    default:
      return 0;
  }
};

/** Everything that a stream has reported, kept to be judged when it has ended. */
export class ReleasedEvents {
  #events: AnswerEvent[] = [];
  #size = 0;

  add(event: AnswerEvent): void {
    if (this.isTooLarge) return;
    this.#size += measureSize(event);
    if (this.isTooLarge) this.#events = [];
    else this.#events.push(event);
  }

  get isTooLarge(): boolean {
    return this.#size > maxRetainedLength;
  }

  answer(): Answer {
    return foldAnswer(this.#events);
  }
}
