import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { withoutSecrets } from '../../../sdk/provider/without-secrets.ts';

/** Longer answers of providers are not read for their error. */
const maxBytes = 65_536;

/** What credentials of providers usually look like. */
const credentialForms =
  /\b(?:sk|pk|rk|gsk|xai|pplx|hf)[-_][\w-]{8,}|\bAIza[\w-]{20,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bBearer\s+\S+|\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;

const messageIn = (value: Json | undefined): string | undefined => {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return messageIn(value[0]);
  if (!isJsonObject(value)) return undefined;
  return messageIn(value.error ?? value.message ?? value.detail);
};

/**
 * What a provider says is wrong: its message, in 300 characters, without what is in it of the caller's credentials, and what
 * looks like one. Those of the gateway are hidden in answers already.
 */
export const describeError = (body: Uint8Array, secrets: readonly string[]): string | undefined => {
  if (body.length > maxBytes) return undefined;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const message = messageIn(parseJson(text));
  return message === undefined
    ? undefined
    : withoutSecrets(message.replaceAll(credentialForms, '…'), Object.fromEntries(secrets.entries()));
};
