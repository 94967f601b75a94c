import type { Dialect, TextReading } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';

const hasFile = (value: Json): boolean => (Array.isArray(value) ? value : [value]).some(isJsonObject);

/** Whether a form has a file in a field that is no file field in its dialect. A provider may read the file's bytes as text. */
export const hasUnreadFile = (
  { request: { body } }: Pick<Exchange, 'request'>,
  { members }: Dialect,
  unknown: TextReading['unknown'],
): boolean => {
  const table = members?.request;
  if (body.kind !== 'form' || table?.is !== 'object') return false;
  const known = table.members;
  return Object.entries(body.form.fields).some(([name, value]) => {
    const isKnown = Object.hasOwn(known, name);
    return hasFile(value) && (isKnown ? known[name]?.is !== 'media' : unknown !== 'allow');
  });
};
