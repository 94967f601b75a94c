import { grownReasoning } from '../../../../schema/conversation/answer-parts.ts';
import type { Part, ReasoningPart, TokenLogprob } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';
import { present } from '../../shared/json/present.ts';
import { ownMembers } from '../../shared/parts/own-value.ts';
import { argumentsText } from '../../shared/request/call-arguments.ts';
import { type CallPlace, readCallId } from '../../shared/request/call-ids.ts';
import { decodeAnnotations } from './annotations.ts';
import { callMembers, callText } from './calls.ts';
import { decodeBlock, toReasoning } from './content-blocks.ts';
import { DetailAssembly, type ReasoningPiece } from './detail-assembly.ts';
import { audioPart, decodeImages } from './made-media.ts';
import { readReasoning } from './reasoning-details.ts';
import { toContentSpans } from './text-spans.ts';
import { signatureAt, toThought } from './thought-signature.ts';

const textPart = (text: string | undefined): readonly Part[] =>
  text === undefined || text === '' ? [] : [{ kind: 'text', text }];

/** Returns the text of a message. The words of a spoken answer are those of its transcript. */
const findWords = (message: JsonObject): string | undefined => {
  const content = findText(message.content) ?? '';
  return content === '' ? findText(findObject(message.audio)?.transcript) : content;
};

/** Decodes reasoning beside the content: a text, or details with what proves or encrypts it. */
const decodeReasoning = (message: JsonObject, scope: string): readonly Part[] => {
  const { plain, details, differs } = readReasoning(message);
  if (details.length === 0) return plain === '' ? [] : [toReasoning(plain)];
  const assembly = new DetailAssembly(scope);
  const pieces: readonly ReasoningPiece[] = [
    ...(plain === '' ? [] : [{ kind: 'reasoning' as const, block: differs ? -1 : 0, text: plain }]),
    ...details.flatMap((detail) => assembly.push(detail)),
    ...assembly.close(),
  ];
  const parts = new Map<number, ReasoningPart>();
  for (const piece of pieces)
    parts.set(piece.block, grownReasoning(parts.get(piece.block) ?? { kind: 'reasoning', text: '' }, piece));
  return [...parts.values()];
};

/** Blocks include everything in the content. If a provider sends no blocks, its reasoning comes before the content. */
const decodeContent = (message: JsonObject, scope: string): readonly Part[] => {
  const decode = (block: JsonObject): Part | undefined => decodeBlock(block, scope);
  const blocks = toObjects(message.content_blocks);
  if (blocks.length > 0) return present(blocks.map(decode));
  return [
    ...decodeReasoning(message, scope),
    ...(findItems(message.content) === undefined
      ? textPart(findWords(message))
      : present(toObjects(message.content).map(decode))),
  ];
};

/** Adds the message's details to its texts: citations by their position, log probabilities to the first text. */
export const withDetails = (
  parts: readonly Part[],
  { annotations }: JsonObject,
  logprobs: readonly TokenLogprob[],
): readonly Part[] => {
  const texts = parts.filter((part) => part.kind === 'text');
  const found = decodeAnnotations(annotations, toContentSpans(texts.map(({ text }) => text.length)));
  const cited = Map.groupBy(found, ({ text }) => text);
  let next = 0;
  return parts.map((part) => {
    if (part.kind !== 'text') return part;
    const index = next;
    next += 1;
    const citations = (cited.get(index) ?? []).map(({ citation }) => citation);
    return defined({
      ...part,
      citations: citations.length > 0 ? citations : undefined,
      logprobs: index === 0 && logprobs.length > 0 ? logprobs : undefined,
    });
  });
};

/** Returns nothing for a call with neither a name nor arguments, which streams do not report either. */
const decodeCall = (call: JsonObject, place: CallPlace): Part | undefined => {
  const custom = findObject(call.custom);
  const definition = custom ?? findObject(call.function);
  if (definition === undefined) return { kind: 'other', dialect: 'chat', value: call };
  const name = findText(definition.name) ?? '';
  const text = callText(custom === undefined ? definition.arguments : custom.input);
  if (name === '' && text === '') return undefined;
  return defined({
    kind: 'tool-call' as const,
    id: readCallId(call.id, place),
    name,
    arguments: custom === undefined ? argumentsText(text) : text,
    input: custom === undefined ? undefined : ('text' as const),
    extensions: ownMembers(call, 'chat', callMembers[custom === undefined ? 'function' : 'custom']),
  });
};

export interface DecodeMessage {
  /** The scope of bound values that name none. */
  readonly scope: string;
  /** The id of the answer, or empty. */
  readonly answer: string;
}

/** Returns the parts of a choice's message. */
export const decodeMessage = (
  message: JsonObject,
  logprobs: readonly TokenLogprob[],
  { scope, answer }: DecodeMessage,
): readonly Part[] => {
  const refusal = findText(message.refusal) ?? '';
  const legacy = findObject(message.function_call);
  const calls = legacy === undefined ? toObjects(message.tool_calls) : [{ function: legacy }];
  const audio = findText(findObject(message.audio)?.data) ?? '';
  return [
    ...withDetails(decodeContent(message, scope), message, logprobs),
    ...decodeImages(message.images),
    ...(refusal === '' ? [] : [{ kind: 'refusal' as const, text: refusal }]),
    ...calls.flatMap((call, number) => [
      ...toThought(signatureAt(call, scope)),
      ...present([decodeCall(call, { answer, number })]),
    ]),
    ...toThought(signatureAt(message, scope)),
    ...(audio === '' ? [] : [audioPart(audio)]),
  ];
};
