import type { AnswerEvent } from '../../../schema/conversation/answer.ts';

const kinds: { readonly [Kind in AnswerEvent['kind']]: true } = {
  start: true,
  text: true,
  refusal: true,
  reasoning: true,
  'tool-call': true,
  'tool-arguments': true,
  part: true,
  citation: true,
  logprobs: true,
  extension: true,
  'block-end': true,
  finish: true,
  usage: true,
  error: true,
  end: true,
};

/** All kinds of events. */
export const eventKinds: readonly AnswerEvent['kind'][] = Object.keys(kinds) as AnswerEvent['kind'][];
