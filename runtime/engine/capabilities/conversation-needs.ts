import type { Conversation, MediaPart, Part, Tool } from '../../../schema/conversation/conversation.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import type { Capability } from '../../../schema/model-facts/capability.ts';
import { carriedMedia, carriedModality, carriedParts, ownTool } from '../../../schema/model-facts/carried-parts.ts';
import type { CarriedPart } from '../../../schema/model-facts/request-needs.ts';
import { isPlainText } from '../../usage/estimated-input.ts';

/** The needs of a conversation: those for its model, and those for the format in which it is sent. */
export interface ConversationNeeds {
  readonly capabilities: readonly Capability[];
  readonly carried: readonly CarriedPart[];
}

/** The needs that have been found, each kind once. */
interface Found {
  readonly capabilities: Set<Capability>;
  readonly carried: Set<CarriedPart>;
}

const ofMedia = {
  image: 'vision',
  document: 'documents',
  audio: 'audio-input',
  video: 'video-input',
} as const satisfies Record<MediaPart['media'], Capability>;

const addMedium = (part: MediaPart, { capabilities, carried }: Found): void => {
  if (isPlainText(part)) return;
  capabilities.add(ofMedia[part.media]);
  const known = carriedMedia(part);
  if (known !== undefined) carried.add(known);
};

const addParts = (parts: readonly Part[], found: Found): void => {
  for (const part of parts) {
    if (part.kind === 'media') addMedium(part, found);
    else if (part.kind === 'tool-result') addParts(part.parts, found);
  }
};

const addTool = (tool: Tool, { capabilities, carried }: Found): void => {
  if (tool.kind === 'other') {
    carried.add(ownTool(tool.dialect));
    return;
  }
  capabilities.add('tools');
  carried.add(carriedParts.tools);
};

const reasons = ({ reasoning }: Conversation): boolean => {
  if (reasoning === undefined || reasoning.kind === 'off') return false;
  return reasoning.kind !== 'effort' || reasoning.effort !== 'none';
};

const ofModalities: { readonly [kind: string]: Capability } = { audio: 'audio-output', image: 'images' };

const addModality = (kind: string, { capabilities, carried }: Found): void => {
  const capability = lookUp(ofModalities, kind);
  const part = carriedModality(kind);
  if (capability !== undefined) capabilities.add(capability);
  if (part !== undefined) carried.add(part);
};

/** Reads the needs of a conversation. */
export const conversationNeeds = (conversation: Conversation): ConversationNeeds => {
  const { turns, tools, toolChoice, stream, answerFormat, modalities = [] } = conversation;
  const found: Found = { capabilities: new Set(['chat']), carried: new Set() };
  const { capabilities, carried } = found;
  if (stream) capabilities.add('streaming');
  for (const tool of tools) addTool(tool, found);
  if (tools.length > 0 && toolChoice?.parallel === false) carried.add(carriedParts.singleCalls);
  if (answerFormat?.kind === 'schema') {
    capabilities.add('json-schema');
    carried.add(carriedParts.schema);
  }
  if (reasons(conversation)) capabilities.add('reasoning');
  for (const { parts } of turns) addParts(parts, found);
  for (const kind of modalities) addModality(kind, found);
  return { capabilities: [...capabilities], carried: [...carried] };
};
