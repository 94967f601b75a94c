import { headerValue, type RawHeaders } from '../../../plugins/sdk/http/http.ts';

/** Whether a client keeps trailer fields: https://www.rfc-editor.org/rfc/rfc9110#name-te */
export const takesTrailers = (headers: RawHeaders): boolean =>
  headerValue(headers, 'te')
    ?.split(',')
    .some((coding) => coding.trim().toLowerCase() === 'trailers') === true;
