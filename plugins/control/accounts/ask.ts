import { gatewayError } from '../../../schema/errors.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { parseObject } from '../../../schema/parse-json.ts';
import { isSuccess } from '../../../schema/status.ts';
import type { Account, ProviderRequest } from './account.ts';
import { answerBytes } from './answer-bytes.ts';
import { refusalOf } from './provider-refusal.ts';

/**
 * The JSON object that a provider answers; an empty one where it answers nothing. Throws a `ProviderRefusal` for other
 * statuses than 2xx, and the `GatewayError` `unreadable-answer`.
 */
export const ask = async (account: Account, request: ProviderRequest): Promise<JsonObject> => {
  const { status, headers, body } = await account.send(request);
  const text = (await answerBytes(body)).toString();
  if (!isSuccess(status)) throw refusalOf(status, headers, text);
  const object = text.trim() === '' ? {} : parseObject(text);
  if (object === undefined)
    throw gatewayError('unreadable-answer', { provider: account.provider, reason: 'it is not a JSON object.' });
  return object;
};
