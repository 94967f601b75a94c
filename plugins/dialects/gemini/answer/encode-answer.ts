import type { Answer, AnswerChoice } from '../../../../schema/conversation/answer.ts';
import type { Part } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { EncodeAnswer } from '../../../sdk/dialect/dialect.ts';
import { append } from '../../shared/json/append.ts';
import { defined } from '../../shared/json/defined.ts';
import { shownReasoning } from '../../shared/parts/shown-reasoning.ts';
import { signFirstCall } from '../parts/sign-first-call.ts';
import { SignedParts } from '../parts/signed-parts.ts';
import { encodeSignature, unsignedMark } from '../parts/thought-signature.ts';
import { answerPart } from './answer-parts.ts';
import { AnswerText } from './answer-text.ts';
import { encodeBlock, encodeFinish } from './finish-reasons.ts';
import { encodeGrounding, type PlacedCitation } from './grounding.ts';
import { encodeLogprobs } from './logprobs.ts';
import { withOwnMembers } from './own-members.ts';
import { encodeUsage } from './usage.ts';

/** The last second of the year 9999. RFC 3339 has no later years. */
const lastSecond = 253_402_300_799;

/** Converts seconds since the epoch to a timestamp. Returns undefined for a number outside this calendar. */
const encodeCreateTime = (seconds: number | undefined): string | undefined =>
  seconds === undefined || seconds < 0 || seconds > lastSecond ? undefined : new Date(seconds * 1000).toISOString();

/** Returns the members that identify an answer. */
export const answerHead = (answer: Pick<Answer, 'id' | 'model' | 'created'>, options: EncodeAnswer): JsonObject => {
  const { id, model, created } = answer;
  return defined({
    modelVersion: model,
    createTime: encodeCreateTime(created),
    responseId: id === '' ? (options.id ?? 'gw-answer') : id,
  });
};

const writePart = (part: Part, signed: SignedParts): readonly JsonObject[] => {
  if (part.kind !== 'reasoning') {
    const wire = answerPart(part);
    return wire === undefined ? [] : [signed.write(wire)];
  }
  const { bound } = part;
  const said = shownReasoning(part);
  const thought = said === '' ? [] : [signed.write({ text: said, thought: true })];
  return bound === undefined ? thought : [...thought, ...signed.sign(encodeSignature(bound))];
};

const encodeParts = (parts: readonly Part[]): readonly JsonObject[] => {
  const signed = new SignedParts();
  const wire = parts.flatMap((part) => writePart(part, signed));
  return signFirstCall([...wire, ...signed.end()], unsignedMark);
};

const findGrounding = (parts: readonly Part[]): JsonObject | undefined => {
  const said = new AnswerText();
  const citations: PlacedCitation[] = [];
  parts.forEach((part, block) => {
    if (part.kind === 'text' || part.kind === 'refusal') said.say(block, part.text);
    if (part.kind !== 'text') return;
    append(
      citations,
      (part.citations ?? []).map((citation) => ({ block, citation })),
    );
  });
  return encodeGrounding(citations, said);
};

const encodeCandidate = ({ index, parts, finish, extensions }: AnswerChoice): JsonObject => {
  const candidate = defined({
    content: { role: 'model', parts: encodeParts(parts) },
    ...encodeFinish(finish),
    index,
    groundingMetadata: findGrounding(parts),
    ...encodeLogprobs(parts.flatMap((part) => (part.kind === 'text' ? (part.logprobs ?? []) : []))),
  }) as JsonObject;
  return withOwnMembers(candidate, extensions?.gemini ?? {});
};

/** Returns the feedback for a refused prompt, which has no candidates. */
const blockedPrompt = ([choice, ...more]: readonly AnswerChoice[]): JsonObject | undefined =>
  choice?.finish.reason === 'blocked-prompt' && choice.parts.length === 0 && more.length === 0
    ? { promptFeedback: encodeBlock(choice.finish) }
    : undefined;

/** https://ai.google.dev/api/generate-content#generatecontentresponse */
export const encodeAnswer = (answer: Answer, options: EncodeAnswer): JsonObject => ({
  ...(blockedPrompt(answer.choices) ?? { candidates: answer.choices.map(encodeCandidate) }),
  ...(answer.usage === undefined ? {} : { usageMetadata: encodeUsage(answer.usage) }),
  ...answerHead(answer, options),
  ...answer.extensions.gemini,
});
