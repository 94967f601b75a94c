import { type GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';
import { isSuccess } from '../../../../schema/http/status.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { GatewayResponse } from '../../../sdk/http/http.ts';
import type { Account, ProviderRequest } from './account.ts';
import { answerBytes, answerChunks } from './answer-bytes.ts';
import { toRefusal } from './provider-refusal.ts';
import { findId, lastSegment } from './read-values.ts';

type Asked = Pick<Account, 'provider'>;

/** Creates the error for a response that does not match the provider's documentation; `reason` ends the sentence. */
export const unreadableAnswer = ({ provider }: Asked, reason: string): GatewayError =>
  gatewayError('unreadable-answer', { provider, reason });

/** Sends a request and resolves to the response. Rejects with a `ProviderRefusal` if its status is not 2xx. */
export const requestOk = async (account: Account, request: ProviderRequest): Promise<GatewayResponse> => {
  const answer = await account.send(request);
  const { status, headers, body } = answer;
  if (isSuccess(status)) return answer;
  throw toRefusal(status, headers, (await answerBytes(body)).toString());
};

/**
 * Sends a request and resolves to the JSON object in the response, or to an empty object if the response has no body. Rejects
 * like `requestOk`, and with the `GatewayError` `unreadable-answer`.
 */
export const requestJson = async (account: Account, request: ProviderRequest): Promise<JsonObject> => {
  const text = (await answerBytes((await requestOk(account, request)).body)).toString();
  const object = text.trim() === '' ? {} : parseObject(text);
  if (object === undefined) throw unreadableAnswer(account, 'it is not a JSON object.');
  return object;
};

/**
 * Reads the id of the thing that a response describes. Throws the `GatewayError` `unreadable-answer` if it has none; `what` names
 * it.
 */
export const readId = (account: Asked, { id }: { readonly id?: Json | undefined }, what: string): string => {
  const found = findId(id);
  if (found === undefined) throw unreadableAnswer(account, `its ${what} has no id.`);
  return found;
};

/**
 * Returns the thing that a response describes if it is the requested one, by its id or by its full name. Throws the `GatewayError`
 * `unreadable-answer` if it is another one; `what` names it.
 */
export const requireSame = <Found extends { readonly id?: Json | undefined }>(
  account: Asked,
  found: Found,
  { id, what }: { readonly id: string; readonly what: string },
): Found => {
  if (lastSegment(readId(account, found, what)) === lastSegment(id)) return found;
  throw unreadableAnswer(account, `its ${what} is not the requested one.`);
};

/** Yields the bytes of a provider's response as they arrive. Throws like `requestOk` and `answerChunks`. */
export async function* requestBytes(account: Account, request: ProviderRequest): AsyncGenerator<Uint8Array> {
  yield* answerChunks((await requestOk(account, request)).body);
}

/**
 * Creates the request for an address that a provider signed, which needs no credential. Throws the `GatewayError`
 * `unreadable-answer` if the value is not an address; `what` begins its reason.
 */
export const signedAddress = (
  account: Asked,
  url: Json | undefined,
  what: string,
): Pick<ProviderRequest, 'path' | 'isStorage' | 'signedOrigin' | 'isCounted'> => {
  const parsed = URL.parse(findText(url) ?? '');
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw unreadableAnswer(account, `${what} has no address.`);
  const { origin, pathname, search } = parsed;
  return { path: pathname + search, isStorage: true, signedOrigin: origin, isCounted: false };
};
