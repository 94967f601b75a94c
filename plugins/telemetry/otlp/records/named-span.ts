import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import { chosenText } from './records.ts';

const idForm = /^(?!0{16})[0-9a-f]{16}$/;

/** An id that no span can have, such as a UUID, is ignored. */
const findId = (headers: RawHeaders, name: string): string | undefined => {
  const text = headerValue(headers, name)?.toLowerCase();
  return text !== undefined && idForm.test(text) ? text : undefined;
};

/** Returns the id that a client assigns to the span of its request. */
export const findNamedId = (headers: RawHeaders): string | undefined => findId(headers, 'x-gw-span-id');

/** Returns the parent that a client specifies for the span of its request. */
export const findNamedParent = (headers: RawHeaders): string | undefined => findId(headers, 'x-gw-parent-span-id');

/** Returns the name that a client gives to the span of its request. Null if there is none. */
export const findSpanName = (headers: RawHeaders): string | null =>
  chosenText(headerValue(headers, 'x-gw-span-name') ?? '') || null;
