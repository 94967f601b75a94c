import type { Answer, AnswerChoice } from '../../../../schema/conversation/answer.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findNumber, toObjects } from '../../../../schema/json/loose.ts';
import type { DecodeAnswer } from '../../../sdk/dialect/dialect.ts';
import { notAnAnswer } from '../../shared/answer/not-an-answer.ts';
import { omit } from '../../shared/json/omit.ts';
import { findBlock, ResponseDecoder } from './response-decoder.ts';

const known: ReadonlySet<string> = new Set([
  'candidates',
  'usageMetadata',
  'modelVersion',
  'responseId',
  'createTime',
  'promptFeedback',
]);
const knownOfCandidate: ReadonlySet<string> = new Set([
  'content',
  'finishReason',
  'finishMessage',
  'index',
  'groundingMetadata',
  'citationMetadata',
  'logprobsResult',
  'avgLogprobs',
]);

/** Returns a choice with the members of its candidate that it does not express. */
const withRest = (choice: AnswerChoice, candidate: JsonObject): AnswerChoice => {
  const rest = omit(candidate, knownOfCandidate);
  return rest === undefined ? choice : { ...choice, extensions: { gemini: { ...rest, ...choice.extensions?.gemini } } };
};

/** https://ai.google.dev/api/generate-content#generatecontentresponse. Throws an `Error` that describes what is wrong. */
export const decodeAnswer = (wire: JsonObject, options: DecodeAnswer): Answer => {
  if (findItems(wire.candidates) === undefined && findBlock(wire) === undefined)
    throw new Error(notAnAnswer(wire, 'candidates'));
  const decoder = new ResponseDecoder(options);
  const answer = foldAnswer([...decoder.push(wire), ...decoder.close()]);
  const candidates = toObjects(wire.candidates);
  const choices = answer.choices.map((choice): AnswerChoice => {
    const candidate = candidates.find(({ index }, position) => (findNumber(index) ?? position) === choice.index);
    return withRest(choice, candidate ?? {});
  });
  const more = omit(wire, known);
  return { ...answer, choices, extensions: more === undefined ? {} : { gemini: more } };
};
