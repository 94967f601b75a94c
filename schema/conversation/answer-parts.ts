import type { Answer, AnswerEvent } from './answer.ts';
import type { Part } from './conversation.ts';

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

/** Whether this is a call of a tool without a name, which no client can run: an answer with one is incomplete. */
export const isNamelessCall = (each: AnswerEvent | Part): boolean => each.kind === 'tool-call' && each.name === '';

/** Throws a `TypeError` if the answer contains a call of a tool without a name. */
export const requireNames = ({ choices }: Answer): void => {
  if (choices.some(({ parts }) => parts.some(isNamelessCall))) throw new TypeError('a tool call has no name.');
};
