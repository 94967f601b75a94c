import { gatewayError } from '../../../../schema/errors/errors.ts';
import { isSuccess } from '../../../../schema/http/status.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { GatewayResponse } from '../../../sdk/http/http.ts';
import type { Account, ProviderRequest } from './account.ts';
import { answerBytes } from './answers/answer-bytes.ts';
import { toRefusal } from './provider-refusal.ts';

/** The answer of a provider that does what it is asked. Rejects with a `ProviderRefusal` for other statuses than 2xx. */
export const accepted = async (account: Account, request: ProviderRequest): Promise<GatewayResponse> => {
  const answer = await account.send(request);
  const { status, headers, body } = answer;
  if (isSuccess(status)) return answer;
  throw toRefusal(status, headers, (await answerBytes(body)).toString());
};

/**
 * The JSON object that a provider answers; an empty one where it answers nothing. Rejects like `accepted`, and with the
 * `GatewayError` `unreadable-answer`.
 */
export const ask = async (account: Account, request: ProviderRequest): Promise<JsonObject> => {
  const { body } = await accepted(account, request);
  const text = (await answerBytes(body)).toString();
  const object = text.trim() === '' ? {} : parseObject(text);
  if (object === undefined)
    throw gatewayError('unreadable-answer', { provider: account.provider, reason: 'it is not a JSON object.' });
  return object;
};
