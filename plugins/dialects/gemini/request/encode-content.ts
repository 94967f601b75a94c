import type { Part, ReasoningPart, TextPart, ToolCallPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { ownValue } from '../../shared/parts/own-value.ts';
import type { Placed } from '../../shared/parts/placed.ts';
import { shownReasoning } from '../../shared/parts/shown-reasoning.ts';
import { toInput } from '../../shared/request/call-input.ts';
import type { EncodeContext } from '../../shared/request/encode-context.ts';
import { type Lost, recordLoss, recordLosses } from '../../shared/request/lost.ts';
import { callPart } from '../parts/calls.ts';
import { encodeMedia } from '../parts/media.ts';
import type { SignedParts } from '../parts/signed-parts.ts';

/** The function of a call, and how many calls came before it. */
export interface CalledFunction {
  readonly name: string;
  readonly at: number;
}

/** The target, and the calls so far. */
export interface ContentContext extends EncodeContext {
  /** The functions of all calls so far, by the id of the call. */
  readonly names: Map<string, CalledFunction>;
  /** Whether results of functions may contain media: https://ai.google.dev/gemini-api/docs/function-calling#multimodal */
  readonly hasMediaResults: boolean;
}

/** Encodes a text. The API rejects empty texts. */
const encodeText = (part: TextPart, path: string, lost: Lost): JsonObject | undefined => {
  recordLosses(part, ['cache', 'citations', 'logprobs'], { path, lost });
  return part.text === '' ? recordLoss(`${path}.text`, lost) : { text: part.text };
};

const encodeCall = (call: ToolCallPart, path: string, { lost, names }: ContentContext): JsonObject => {
  const { id, name, arguments: text, input, cache } = call;
  if (input === undefined && JSON.stringify(toInput(call)) !== text) lost.push(`${path}.arguments`);
  if (cache !== undefined) lost.push(`${path}.cache`);
  names.set(id, { name, at: names.get(id)?.at ?? names.size });
  return callPart(call);
};

/** Encodes one part. Returns undefined if the format cannot express it. Results and reasoning have their own functions. */
const encodePart = (part: Part, path: string, context: ContentContext): JsonObject | undefined => {
  const { lost } = context;
  switch (part.kind) {
    case 'text':
      return encodeText(part, path, lost);
    case 'media':
      return encodeMedia(part, path, lost);
    case 'tool-call':
      return encodeCall(part, path, context);
    case 'refusal':
      lost.push(`${path}.refusal`);
      return part.text === '' ? undefined : { text: part.text };
    case 'json':
      lost.push(`${path}.json`);
      return { text: JSON.stringify(part.value) };
    case 'server-tool-call':
    case 'server-tool-result':
    case 'other':
      return ownValue(part, 'gemini') ?? recordLoss(`${path}.${part.kind}`, lost);
    default:
      return undefined;
  }
};

/**
 * Drops reasoning that this service did not make. A thought without a signature is known to be its own if a signature comes
 * directly before it.
 */
const encodeReasoning = (
  part: ReasoningPart,
  path: string,
  { context: { lost, scope }, signed }: { context: ContentContext; signed: SignedParts },
): readonly JsonObject[] => {
  const { summary = [], bound } = part;
  const said = shownReasoning(part);
  const isOwn = bound === undefined ? signed.isWaiting && said !== '' : bound.scope === scope;
  if (!isOwn) {
    lost.push(`${path}.reasoning`);
    return [];
  }
  if (summary.length > 0) lost.push(`${path}.summary`);
  if (bound !== undefined && bound.kind !== 'thought') lost.push(`${path}.bound`);
  const thought = said === '' ? [] : [signed.write({ text: said, thought: true })];
  return bound === undefined ? thought : [...thought, ...signed.sign(bound.value)];
};

/** Encodes the parts of one content, with each signature on the part that follows it. */
export const encodeContent = (
  placed: readonly Placed[],
  signed: SignedParts,
  context: ContentContext,
): readonly JsonObject[] => {
  const wire = placed.flatMap(({ part, path }) => {
    if (part.kind === 'reasoning') return encodeReasoning(part, path, { context, signed });
    const encoded = encodePart(part, path, context);
    return encoded === undefined ? [] : [signed.write(encoded)];
  });
  return [...wire, ...signed.end()];
};
