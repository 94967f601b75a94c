import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import type { RawHeaders } from '../../../sdk/http/http.ts';
import { omit } from '../../shared/json/omit.ts';

const member = 'anthropic_beta';

const listBetas = (value: Json | undefined): readonly Json[] => {
  if (typeof value === 'string') return value.split(',').map((beta) => beta.trim());
  return Array.isArray(value) ? value : [];
};

/** Returns the betas of a list as a header, or undefined if there are none, or if the list contains anything else. */
const toHeader = (value: Json | undefined): string | undefined => {
  const betas = listBetas(value);
  const areNames = betas.length > 0 && betas.every((beta) => typeof beta === 'string' && /^[\w.-]{1,128}$/.test(beta));
  return areNames ? betas.join(',') : undefined;
};

/**
 * Moves Claude's betas out of the body of another dialect. Some clients write them there, as a list or separated by commas, but
 * requests of messages have them in a header.
 */
export const extractBetas = (
  conversation: Conversation,
): { readonly conversation: Conversation; readonly headers: RawHeaders } => {
  for (const [dialect, fields] of Object.entries(conversation.extensions)) {
    const betas = dialect === 'messages' ? undefined : toHeader(fields[member]);
    if (betas === undefined) continue;
    const left: JsonObject = omit(fields, new Set([member])) ?? {};
    return {
      conversation: { ...conversation, extensions: { ...conversation.extensions, [dialect]: left } },
      headers: ['anthropic-beta', betas],
    };
  }
  return { conversation, headers: [] };
};
