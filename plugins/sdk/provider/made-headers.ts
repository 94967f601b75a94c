import { GatewayError } from '../../../schema/errors/errors.ts';
import { isTexts, type JsonObject } from '../../../schema/json/json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import type { RawHeaders } from '../http/http.ts';
import type { Credential, Provider } from './provider.ts';
import { withoutSecrets } from './without-secrets.ts';

/** Returns whether a value is a list of names and values in turn, as a provider's `headers` has to give. */
export const areHeaders = (value: unknown): value is RawHeaders => isTexts(value) && value.length % 2 === 0;

const callHeaders = (provider: Provider, credential: Credential, settings: JsonObject): unknown => {
  try {
    return provider.headers(credential, settings);
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const why = withoutSecrets(errorText(error), credential);
    throw new Error(`"headers" of the provider "${provider.id}" throws: ${toSentence(why)}`, { cause: error });
  }
};

/**
 * Makes the headers that a provider adds. Throws an `Error` that names the provider where its `headers` throws, or gives something
 * else than names and values.
 */
export const madeHeaders = (provider: Provider, credential: Credential, settings: JsonObject): RawHeaders => {
  const headers = callHeaders(provider, credential, settings);
  if (areHeaders(headers)) return headers;
  throw new TypeError(
    `"headers" of the provider "${provider.id}" gives no list of texts, names and values in turn. It may not be async.`,
  );
};
