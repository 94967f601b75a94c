import type { Answer, AnswerEvent, AnswerEventOf } from './answer.ts';
import type { Part, ReasoningPart } from './conversation.ts';

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

const grownSummary = (
  summary: readonly string[],
  { index, text }: { readonly index: number; readonly text: string },
): readonly string[] => {
  const grownTo = Array.from({ length: Math.max(summary.length, index + 1) }, (_, at) => summary[at] ?? '');
  return grownTo.map((known, at) => (at === index ? known + text : known));
};

/** Returns reasoning with a further piece of its block. */
export const grownReasoning = (
  part: ReasoningPart,
  { text = '', summary, bound }: Pick<AnswerEventOf<'reasoning'>, 'text' | 'summary' | 'bound'>,
): ReasoningPart => ({
  ...part,
  text: part.text + text,
  ...(summary === undefined ? {} : { summary: grownSummary(part.summary ?? [], summary) }),
  ...(bound === undefined ? {} : { bound }),
});
