import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { DecodeRequest } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../shared/json/defined.ts';
import { Member } from '../../shared/json/member.ts';
import { omit } from '../../shared/json/omit.ts';
import { withCustomResults } from '../../shared/request/custom-results.ts';
import { asList, field, spellings } from '../parts/field.ts';
import { decodeGenerationConfig, specialGenerationConfig } from './decode-generation-config.ts';
import { decodeMessages, decodeSystem } from './decode-messages.ts';
import { decodeTier } from './service-tier.ts';
import { decodeToolChoice, specialToolConfig } from './tool-choice.ts';
import { decodeTools } from './tools.ts';

/** The members that a conversation can express; all others are carried unchanged. */
const known = spellings([
  'model',
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'serviceTier',
]);

const decodeExtensions = (wire: Member): Conversation['extensions'] => {
  const fields = defined({
    ...omit(wire.object(), known),
    generationConfig: specialGenerationConfig(field(wire, 'generationConfig')),
    toolConfig: specialToolConfig(field(wire, 'toolConfig')),
  }) as JsonObject;
  return Object.keys(fields).length > 0 ? { gemini: fields } : {};
};

/** https://ai.google.dev/api/generate-content. Throws the `GatewayError` `invalid-request`, with paths under `path`. */
export const decodeRequest = (body: JsonObject, options: DecodeRequest, path = ''): Conversation => {
  const { scope, model, stream = false } = options;
  const wire = new Member('gemini', path, body);
  return defined({
    model: model ?? wire.at('model').maybeText(),
    system: decodeSystem(field(wire, 'systemInstruction')),
    turns: withCustomResults(decodeMessages(wire.at('contents'), scope)),
    tools: asList(wire.at('tools')).maybeItems().flatMap(decodeTools),
    toolChoice: decodeToolChoice(field(field(wire, 'toolConfig'), 'functionCallingConfig')),
    ...decodeGenerationConfig(field(wire, 'generationConfig')),
    stream,
    // This format's streams always include usage.
    streamUsage: stream ? true : undefined,
    serviceTier: decodeTier(field(wire, 'serviceTier').maybeText()),
    extensions: decodeExtensions(wire),
  });
};
