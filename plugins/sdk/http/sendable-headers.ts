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

/**
 * Returns whether a header can carry a secret. Multi-line secrets, such as keys and service accounts, are allowed because they
 * are not sent as they are.
 */
export const isSendableSecret = (value: string): boolean =>
  value.trim().includes('\n') || areSendable(['authorization', value]);

/** Why a header cannot carry a secret. */
export const unsendableReason = 'it has a line break, another control character, or one beyond Latin-1';
