import type { RawHeaders } from './http.ts';
import { validateHeaderName, validateHeaderValue } from './node-http.ts';

/**
 * Returns whether HTTP can carry the headers: each name is a token, and no value has a line break, another control character, or a
 * character beyond Latin-1.
 */
export const areSendable = (headers: RawHeaders): boolean => {
  try {
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const [name = '', value = ''] = [headers[at], headers[at + 1]];
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return true;
  } catch {
    return false;
  }
};

/** The start of a private key or of a service account, which are not sent as they are. */
const documentStart = /^\s*(?:\{|-----BEGIN )/;

/** Returns whether a header can carry a secret. A private key or a service account may have any number of lines. */
export const isSendableSecret = (value: string): boolean =>
  documentStart.test(value) || areSendable(['authorization', value]);

/** Why a header cannot carry a secret. */
export const unsendableReason = 'it has a line break, another control character, or one beyond Latin-1';
