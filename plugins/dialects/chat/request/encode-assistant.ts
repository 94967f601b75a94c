import type { ReasoningPart, ToolCallPart, Turn } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { append } from '../../shared/json/append.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Placed } from '../../shared/parts/placed.ts';
import { reasoningGap, shownReasoning } from '../../shared/parts/shown-reasoning.ts';
import { toContent } from '../../shared/parts/to-content.ts';
import { callArguments } from '../../shared/request/call-arguments.ts';
import type { EncodeContext } from '../../shared/request/encode-context.ts';
import { type Lost, recordLosses } from '../../shared/request/lost.ts';
import { encodeCall } from '../parts/calls.ts';
import { accepts, encodeOther } from '../parts/encode-content.ts';
import { findDetails, restoreDetails } from '../parts/reasoning-details.ts';
import { withSignature } from '../parts/thought-signature.ts';

/** A message of the model while it is being written. */
interface Draft {
  readonly content: JsonObject[];
  readonly calls: JsonObject[];
  audio?: JsonObject;
  /** The signature for the call that follows. */
  signature?: string;
  /** The signature of the message, and the part that it comes from. */
  closing?: { readonly value: string; readonly path: string };
  readonly details: JsonObject[];
  /** The reasoning for a target that takes it back as a text. */
  readonly thoughts: string[];
  /** Reasoning that nothing has proved so far. */
  unproved?: { readonly text: string; readonly path: string };
}

/** Adds reasoning that the target has sent as details. A proof may come after its text, if something else came between them. */
const addDetails = (draft: Draft, part: ReasoningPart, rests: readonly JsonObject[]): void => {
  const { unproved } = draft;
  const isSilent = part.text === '' && part.summary === undefined;
  const isLate = isSilent && unproved !== undefined && rests.length === 1 && rests[0]?.type === 'reasoning.text';
  append(draft.details, restoreDetails(isLate ? unproved : part, rests));
  if (isLate) delete draft.unproved;
};

/** Reports reasoning that nothing has proved. */
const loseUnproved = (draft: Draft, lost: Lost): void => {
  if (draft.unproved !== undefined) lost.push(`${draft.unproved.path}.reasoning`);
  delete draft.unproved;
};

/** Adds a signature that belongs to no call. A message has one, which is read as its last part. */
const close = (
  draft: Draft,
  { value, path, isLast }: { value: string; path: string; isLast: boolean },
  lost: Lost,
): void => {
  if (draft.closing !== undefined) lost.push(`${draft.closing.path}.reasoning`);
  if (!isLast) lost.push(`${path}.order`);
  draft.closing = { value, path };
};

/**
 * Adds reasoning, which is sent only to the target that made it: details as they were, and a thought's value with the call that it
 * belongs to, or else with the message. Some clients send such a value back as the signature of an empty thought. A target that takes
 * back reasoning as a text is also sent that of other targets.
 */
const addReasoning = (
  draft: Draft,
  { part, path, next }: { part: ReasoningPart; path: string; next: Placed | undefined },
  { lost, scope, reasoningMember }: EncodeContext,
): void => {
  const { text, summary, bound } = part;
  const rests = bound?.scope === scope ? findDetails(bound) : undefined;
  if (rests !== undefined) {
    addDetails(draft, part, rests);
    return;
  }
  const thought = reasoningMember === undefined ? '' : shownReasoning(part);
  if (thought !== '') {
    draft.thoughts.push(thought);
    if (bound !== undefined) lost.push(`${path}.bound`);
    return;
  }
  if (bound === undefined && summary === undefined) {
    loseUnproved(draft, lost);
    draft.unproved = { text, path };
    return;
  }
  const isSilent = text === '' && summary === undefined;
  const isOfNext = bound?.kind === 'thought' || (bound?.kind === 'signature' && isSilent);
  if (bound?.scope !== scope || !isOfNext || !isSilent) lost.push(`${path}.reasoning`);
  if (bound?.scope !== scope || !isOfNext) return;
  if (bound.kind !== 'thought') lost.push(`${path}.bound`);
  if (next?.part.kind === 'tool-call') draft.signature = bound.value;
  else close(draft, { value: bound.value, path, isLast: next === undefined }, lost);
};

/** Converts a call of a custom tool to a call of the function that stands for it, if the target accepts only functions. */
const sentCall = (part: ToolCallPart, path: string, { lacks, lost }: EncodeContext): JsonObject => {
  if (part.input !== 'text' || lacks?.has('custom-tool') !== true) return encodeCall(part);
  const { id, name, extensions } = part;
  if (extensions?.chat !== undefined) lost.push(`${path}.extensions`);
  return encodeCall({ id, name, arguments: callArguments(part) });
};

const addCall = (draft: Draft, part: ToolCallPart, path: string, context: EncodeContext): void => {
  if (part.cache !== undefined) context.lost.push(`${path}.cache`);
  draft.calls.push(withSignature(sentCall(part, path, context), draft.signature));
  delete draft.signature;
};

/** Adds a part. Content, audio and calls are separate members, so their relative order is not kept. */
const add = (draft: Draft, item: Placed, context: EncodeContext): void => {
  const { part, path } = item;
  const isAudio =
    part.kind === 'media' && part.media === 'audio' && part.source.kind === 'file' && accepts(context, part);
  if (isAudio && part.source.kind === 'file' && draft.audio === undefined) {
    draft.audio = { id: part.source.id };
    recordLosses(part, ['name', 'detail', 'cache'], { path, lost: context.lost });
  } else if (part.kind === 'media') {
    context.lost.push(`${path}.media`);
    return;
  } else {
    const wire = encodeOther(item, context);
    if (wire === undefined) return;
    draft.content.push(wire);
    if (draft.audio !== undefined) context.lost.push(`${path}.order`);
  }
  if (draft.calls.length > 0) context.lost.push(`${path}.order`);
};

export const encodeAssistant = (turn: Turn, placed: readonly Placed[], context: EncodeContext): JsonObject => {
  const draft: Draft = { content: [], calls: [], details: [], thoughts: [] };
  placed.forEach((item, index) => {
    const { part, path } = item;
    if (part.kind === 'reasoning') addReasoning(draft, { part, path, next: placed[index + 1] }, context);
    else if (part.kind === 'tool-call') addCall(draft, part, path, context);
    else add(draft, item, context);
  });
  loseUnproved(draft, context.lost);
  const { content, calls, audio, details, thoughts } = draft;
  const { reasoningMember = 'reasoning_content' } = context;
  const isSilent = content.length === 0 && (calls.length > 0 || audio !== undefined);
  const message = defined({
    role: 'assistant',
    name: turn.name,
    content: isSilent ? null : toContent(content),
    audio,
    ...(thoughts.length > 0 ? { [reasoningMember]: thoughts.join(reasoningGap) } : {}),
    reasoning_details: details.length > 0 ? details : undefined,
    tool_calls: calls.length > 0 ? calls : undefined,
  });
  return withSignature(message, draft.closing?.value);
};
