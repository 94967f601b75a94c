import type { Conversation, MediaPart, Part, Tool, ToolChoice } from '../../../schema/conversation/conversation.ts';
import type { Capability } from '../../../schema/model-facts/capability.ts';
import { isPlainText } from '../../usage/estimated-input.ts';
import { type CarriedPart, carriedMedia, carriedModality, carriedParts, ownTool } from './carried-parts.ts';

/** What a conversation asks of the model that answers it, and of the format in which it is sent. */
export interface ConversationNeeds {
  readonly capabilities: readonly Capability[];
  readonly carried: readonly CarriedPart[];
}

const mediaIn = (parts: readonly Part[]): readonly MediaPart[] =>
  parts.flatMap((part) => {
    if (part.kind === 'media') return isPlainText(part) ? [] : [part];
    return part.kind === 'tool-result' ? mediaIn(part.parts) : [];
  });

const reasons = ({ reasoning }: Conversation): boolean => {
  if (reasoning === undefined || reasoning.kind === 'off') return false;
  return reasoning.kind !== 'effort' || reasoning.effort !== 'none';
};

const isDescribed = ({ kind }: Tool): boolean => kind !== 'other';

const toolParts = (tools: readonly Tool[], choice: ToolChoice | undefined): readonly CarriedPart[] => [
  ...(tools.some(isDescribed) ? [carriedParts.tools] : []),
  ...tools.flatMap((tool) => (tool.kind === 'other' ? [ownTool(tool.dialect)] : [])),
  ...(tools.length > 0 && choice?.parallel === false ? [carriedParts.singleCalls] : []),
];

/** Reads the needs off a conversation: of each kind one, in the order of the capabilities. */
export const conversationNeeds = (conversation: Conversation): ConversationNeeds => {
  const { turns, tools, toolChoice, stream, answerFormat, modalities = [] } = conversation;
  const carried = new Set([
    ...turns.flatMap(({ parts }) => mediaIn(parts)).flatMap((part) => carriedMedia(part) ?? []),
    ...toolParts(tools, toolChoice),
    ...(answerFormat?.kind === 'schema' ? [carriedParts.schema] : []),
    ...modalities.flatMap((modality) => carriedModality(modality) ?? []),
  ]);
  const media = new Set(turns.flatMap(({ parts }) => mediaIn(parts)).map((part) => part.media));
  return {
    capabilities: [
      'chat',
      ...(stream ? (['streaming'] as const) : []),
      ...(tools.some(isDescribed) ? (['tools'] as const) : []),
      ...(answerFormat?.kind === 'schema' ? (['json-schema'] as const) : []),
      ...(reasons(conversation) ? (['reasoning'] as const) : []),
      ...(media.has('image') ? (['vision'] as const) : []),
      ...(media.has('document') ? (['documents'] as const) : []),
      ...(media.has('audio') ? (['audio-input'] as const) : []),
      ...(media.has('video') ? (['video-input'] as const) : []),
      ...(modalities.includes('audio') ? (['audio-output'] as const) : []),
      ...(modalities.includes('image') ? (['images'] as const) : []),
    ],
    carried: [...carried],
  };
};
