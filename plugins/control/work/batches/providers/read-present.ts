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

/** The member `errors` of a batch that its provider gave up, with why; nothing where there is no reason. */
export const batchErrors = (messages: readonly string[]): JsonObject =>
  messages.length === 0
    ? {}
    : {
        errors: {
          object: 'list',
          data: messages.map((message) => ({ code: 'provider_error', message, param: null, line: null })),
        },
      };

/** An object without the members that are null: optional members of a batch are absent, and never null. */
export const readPresent = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
