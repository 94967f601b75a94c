import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import type { EncodedRequest, EncodeTarget } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../shared/json/defined.ts';
import { finishRequest } from '../../shared/request/finish-request.ts';
import { placedPrompt } from '../../shared/request/leading-instructions.ts';
import { type Lost, recordLosses } from '../../shared/request/lost.ts';
import { withOwnMembers } from '../../shared/request/own-members.ts';
import { withMessage } from '../../shared/request/with-message.ts';
import { SignedParts } from '../parts/signed-parts.ts';
import { type CalledFunction, type ContentContext, encodeContent } from './encode-content.ts';
import { encodeGenerationConfig } from './encode-generation-config.ts';
import { encodeMessages } from './encode-messages.ts';
import { requiresSignatures } from './model-generation.ts';
import { ownMembers } from './own-members.ts';
import { encodeTier } from './service-tier.ts';
import { encodeToolChoice, withFunctionsOnly } from './tool-choice.ts';
import { encodeTools } from './tools.ts';

const encodeSystem = (conversation: Conversation, context: ContentContext): readonly JsonObject[] =>
  encodeContent(placedPrompt(conversation, context.lost), new SignedParts(), context);

/** Merges the client's own fields, which take precedence, into the tool choice. */
const withOwnCalling = (choice: JsonObject | undefined, own: JsonObject): JsonObject | undefined => {
  const calling = { ...choice, ...findObject(own.functionCallingConfig) };
  if (Object.keys(calling).length === 0) return Object.keys(own).length > 0 ? own : undefined;
  return { ...own, functionCallingConfig: calling };
};

const encodeToolMembers = ({ tools, toolChoice }: Conversation, own: JsonObject, lost: Lost): JsonObject => {
  const { wire, hasFunctions, google } = encodeTools(tools, lost);
  if (!hasFunctions && toolChoice !== undefined) lost.push('toolChoice');
  const wanted = hasFunctions && toolChoice !== undefined ? withFunctionsOnly(toolChoice, google, lost) : undefined;
  const choice = wanted && encodeToolChoice(wanted, lost);
  return defined({
    tools: wire.length > 0 ? wire : undefined,
    toolConfig: withOwnCalling(choice, own),
  }) as JsonObject;
};

const unsaid = ['user', 'audio', 'cacheKey', 'verbosity'] as const;

/** https://ai.google.dev/api/generate-content. The path specifies the model, and whether the answer is streamed. */
export const encodeRequest = (asked: Conversation, target: EncodeTarget): EncodedRequest => {
  const conversation = withOwnMembers(asked, 'gemini', ownMembers);
  const lost: Lost = [];
  const { model, stream, streamUsage, serviceTier, extensions } = conversation;
  const { generationConfig, toolConfig, ...own } = extensions.gemini ?? {};
  const signs = requiresSignatures(model);
  const context = { lost, scope: target.scope, names: new Map<string, CalledFunction>(), hasMediaResults: signs };
  recordLosses(conversation, unsaid, { lost });
  if (streamUsage !== (stream ? true : undefined)) lost.push('streamUsage');
  const tier = serviceTier === undefined ? undefined : encodeTier(serviceTier);
  if (tier === undefined && serviceTier !== undefined) lost.push('serviceTier');
  const said = {
    prompt: encodeSystem(conversation, context),
    messages: encodeMessages(conversation, { context, signs }),
  };
  const { prompt, messages } = withMessage(said, 'parts', lost);
  const body = defined({
    systemInstruction: prompt.length > 0 ? { parts: prompt } : undefined,
    contents: messages,
    ...encodeToolMembers(conversation, findObject(toolConfig) ?? {}, lost),
    generationConfig: encodeGenerationConfig(conversation, findObject(generationConfig) ?? {}, {
      drop: target.drop,
      lost,
    }),
    serviceTier: tier,
    ...own,
  }) as JsonObject;
  return finishRequest('gemini', body, { conversation, target, lost });
};
