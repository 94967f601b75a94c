import type { WireError } from '../../../../schema/conversation/answer.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { defined } from '../json/defined.ts';

/**
 * The error in an answer's body. Reads `{"error": {…}}`, `{"error": "…"}`, `{"message": "…"}`, `{"detail": "…"}` and
 * lists of those, which covers what vendors send; any other text is the message itself.
 */
export const readHttpError = (status: number, body: string): WireError => {
  const parsed = parseJson(body);
  const found = Array.isArray(parsed) ? parsed[0] : parsed;
  const outer = findObject(found) ?? {};
  const inner = findObject(outer.error) ?? outer;
  const message = findText(inner.message) ?? findText(outer.error) ?? findText(outer.detail) ?? body.trim();
  const code = typeof inner.code === 'number' ? String(inner.code) : findText(inner.code);
  return defined({
    message: message === '' ? `The provider answered ${status} without a message.` : message,
    type: inner === outer ? undefined : findText(inner.type),
    code,
    param: findText(inner.param),
    status,
  });
};
