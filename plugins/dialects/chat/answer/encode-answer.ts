import type { Answer, AnswerChoice } from '../../../../schema/conversation/answer.ts';
import { tagBound } from '../../../../schema/conversation/bound.ts';
import type { Part, TextPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, toObjects } from '../../../../schema/json/loose.ts';
import type { EncodeAnswer } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../shared/json/defined.ts';
import { undefinedIfEmpty } from '../../shared/json/present.ts';
import { encodeAnnotation } from '../parts/annotations.ts';
import { encodeCall, encodeLegacyCall } from '../parts/calls.ts';
import { encodeBlocks } from '../parts/content-blocks.ts';
import { audioData, encodeAudio, encodeImages } from '../parts/made-media.ts';
import { encodeDetails } from '../parts/reasoning-details.ts';
import { toContentSpans } from '../parts/text-spans.ts';
import { boundAtCall, closingSignature, withSignature } from '../parts/thought-signature.ts';
import { type ClientForm, encodeFinish, toClientForm } from './finish-reasons.ts';
import { encodeLogprobs } from './logprobs.ts';
import { encodeUsage } from './usage.ts';

const textOfKind = (parts: readonly Part[], kind: 'text' | 'refusal'): string | null => {
  const texts = parts.flatMap((part) => (part.kind === kind ? [part.text] : []));
  return texts.length > 0 ? texts.join('') : null;
};

const encodeCalls = (parts: readonly Part[], { strict, isLegacy }: ClientForm): JsonObject => {
  const calls = parts.flatMap((part, index) => {
    if (part.kind !== 'tool-call') return [];
    const bound = boundAtCall(parts[index - 1], strict);
    return [{ part, signature: bound && tagBound(bound) }];
  });
  const legacy = isLegacy ? calls.shift() : undefined;
  return defined({
    function_call: legacy && withSignature(encodeLegacyCall(legacy.part), legacy.signature),
    tool_calls: undefinedIfEmpty(calls.map(({ part, signature }) => withSignature(encodeCall(part), signature))),
  });
};

/** Returns the parts without reasoning whose value is at the call after it. */
const withoutSignatures = (parts: readonly Part[]): readonly Part[] =>
  parts.filter((part, index) => parts[index + 1]?.kind !== 'tool-call' || boundAtCall(part, false) === undefined);

const encodeAnnotations = (texts: readonly TextPart[]): readonly JsonObject[] => {
  const stretches = toContentSpans(texts.map(({ text }) => text.length));
  return texts.flatMap(({ citations = [] }, index) =>
    citations.flatMap((citation) => encodeAnnotation(citation, stretches[index] ?? { from: 0, length: 0 })),
  );
};

const encodeMessage = (parts: readonly Part[], more: JsonObject, form: ClientForm): JsonObject => {
  const texts = parts.filter((part) => part.kind === 'text');
  const media = parts.filter((part) => part.kind === 'media');
  const text = textOfKind(parts, 'text');
  const spoken = audioData(media);
  const audio = spoken === undefined ? undefined : encodeAudio(spoken, text ?? '');
  const closing = form.strict ? closingSignature(parts) : undefined;
  const message = defined({
    role: 'assistant',
    content: audio === undefined ? text : null,
    refusal: textOfKind(parts, 'refusal'),
    ...encodeCalls(parts, form),
    reasoning_details: undefinedIfEmpty(parts.flatMap(encodeDetails)),
    content_blocks: form.strict ? undefined : undefinedIfEmpty(encodeBlocks(withoutSignatures(parts))),
    images: encodeImages(media),
    audio,
    ...more,
    annotations: undefinedIfEmpty([...encodeAnnotations(texts), ...toObjects(more.annotations)]),
  });
  return withSignature(message, closing && tagBound(closing));
};

const encodeChoice = ({ index, parts, finish, extensions }: AnswerChoice, form: ClientForm): JsonObject => {
  const { message, logprobs, ...more } = extensions?.chat ?? {};
  const tokens = encodeLogprobs(parts.flatMap((part) => (part.kind === 'text' ? (part.logprobs ?? []) : [])));
  return {
    index,
    message: encodeMessage(parts, findObject(message) ?? {}, form),
    logprobs: logprobs === undefined ? tokens : { content: null, ...tokens, ...findObject(logprobs) },
    finish_reason: encodeFinish(finish, form),
    ...more,
  };
};

/** https://platform.openai.com/docs/api-reference/chat/object, with `provider` beside it. */
export const encodeAnswer = (answer: Answer, options: EncodeAnswer): JsonObject => {
  const { provider, id, created } = options;
  const form = toClientForm(options);
  return defined({
    id: answer.id === '' ? (id ?? 'gw-chat') : answer.id,
    object: 'chat.completion',
    created: answer.created ?? created ?? 0,
    model: answer.model,
    provider,
    choices: answer.choices.map((choice) => encodeChoice(choice, form)),
    usage: answer.usage === undefined ? undefined : encodeUsage(answer.usage),
    service_tier: answer.usage?.tier,
    ...answer.extensions.chat,
  });
};
