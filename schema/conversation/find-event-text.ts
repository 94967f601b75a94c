import type { AnswerEvent } from './answer.ts';

/** The text of an event that carries a piece of one. */
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
