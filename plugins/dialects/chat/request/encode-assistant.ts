import type { ReasoningPart, ToolCallPart, Turn } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Placed } from '../../shared/parts/placed.ts';
import { toContent } from '../../shared/parts/to-content.ts';
import { callArguments } from '../../shared/request/call-arguments.ts';
import type { EncodeContext } from '../../shared/request/encode-context.ts';
import { recordLosses } from '../../shared/request/lost.ts';
import { encodeCall } from '../parts/calls.ts';
import { accepts, encodeOther } from '../parts/encode-content.ts';
import { withSignature } from '../parts/thought-signature.ts';

/** A message of the model while it is being written. */
interface Draft {
  readonly content: JsonObject[];
  readonly calls: JsonObject[];
  audio?: JsonObject;
  /** The signature for the call that follows. */
  signature?: string;
}

/** Adds reasoning. A thought's value can be sent only to the target that made it, and only with the call that it belongs to. */
const addReasoning = (
  draft: Draft,
  { part, path, next }: { part: ReasoningPart; path: string; next: Placed | undefined },
  { lost, scope }: EncodeContext,
): void => {
  const { text, summary, bound } = part;
  const isSent = bound?.kind === 'thought' && bound.scope === scope && next?.part.kind === 'tool-call';
  if (!isSent || text !== '' || summary !== undefined) lost.push(`${path}.reasoning`);
  if (isSent) draft.signature = bound.value;
};

/** Converts a call of a custom tool to a call of the function that stands for it, if the target accepts only functions. */
const sentCall = (part: ToolCallPart, path: string, { lacks, lost }: EncodeContext): JsonObject => {
  if (part.input !== 'text' || lacks?.has('custom-tool') !== true) return encodeCall(part);
  const { id, name, extensions } = part;
  if (extensions?.chat !== undefined) lost.push(`${path}.extensions`);
  return encodeCall({ kind: 'tool-call', id, name, arguments: callArguments(part) });
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
  const draft: Draft = { content: [], calls: [] };
  placed.forEach((item, index) => {
    const { part, path } = item;
    if (part.kind === 'reasoning') addReasoning(draft, { part, path, next: placed[index + 1] }, context);
    else if (part.kind === 'tool-call') addCall(draft, part, path, context);
    else add(draft, item, context);
  });
  const { content, calls, audio } = draft;
  const isSilent = content.length === 0 && (calls.length > 0 || audio !== undefined);
  return defined({
    role: 'assistant',
    name: turn.name,
    content: isSilent ? null : toContent(content),
    audio,
    tool_calls: calls.length > 0 ? calls : undefined,
  });
};
