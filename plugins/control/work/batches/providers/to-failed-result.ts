import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../../../schema/json/loose.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import { errorBody } from '../../accounts/provider-refusal.ts';

/** The answer to a line that failed, of whose error the provider tells a text: `Bad Request: {"error": {"code": 400, …}}`, or any other. */
export const toFailedResult = (failure: Json | undefined): { readonly status: number; readonly body: JsonObject } => {
  const message = findText(failure) || 'The request failed.';
  const object = message.slice(Math.max(message.indexOf('{'), 0));
  const code = findNumber(findObject(parseObject(object)?.error)?.code);
  const [status, text] = code === undefined ? [500, JSON.stringify({ message })] : [code, object];
  return { status, body: errorBody(status, text) };
};
