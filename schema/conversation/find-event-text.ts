import type { AnswerEvent } from './answer.ts';

/** Returns the text of an event that carries a piece of text. */
export const findEventText = (event: AnswerEvent): string | undefined => {
  switch (event.kind) {
    case 'text':
    case 'refusal':
    case 'tool-arguments':
      return event.text;
    case 'reasoning':
      return event.summary?.text ?? event.text;
    default:
      return undefined;
  }
};
