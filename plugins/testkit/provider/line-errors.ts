import type { RawHeaders } from '../../sdk/http/http.ts';
import { areHeaders } from '../../sdk/provider/provider-settings.ts';

const notItsOwn = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'te', 'upgrade']);

/** Returns the errors in the headers that a provider sends. */
export const lineErrors = (headers: RawHeaders, when: string): readonly string[] => {
  if (!areHeaders(headers)) return [`headers ${when} must alternate names and values, in a list of texts`];
  const errors: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2);
    if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) errors.push(`"${name}" is not a valid header name`);
    if (notItsOwn.has(name.toLowerCase())) errors.push(`the header "${name}" belongs to the connection`);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value) || /undefined|null|\[object/.test(value))
      errors.push(`the header "${name}" ${when} has a value that cannot be sent: ${JSON.stringify(value)}`);
  }
  return errors;
};
