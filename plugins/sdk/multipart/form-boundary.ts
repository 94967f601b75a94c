import { charsetsOf } from './charsets-of.ts';
import { findBoundary } from './find-boundary.ts';
import { malformed } from './form-part.ts';

const utf8: ReadonlySet<string> = new Set(['utf-8', 'utf8']);

/**
 * Returns the boundary of a form. Throws a `malformed-upload` if its content-type has no boundary on which all parsers agree, or
 * has a charset in which some of them would decode its fields.
 */
export const formBoundary = (contentType = ''): string => {
  const boundary = findBoundary(contentType);
  if (boundary === undefined)
    throw malformed('its content-type has no boundary, or one that parsers interpret differently.');
  if (charsetsOf(contentType).some((charset) => !utf8.has(charset)))
    throw malformed('its content-type has a charset other than UTF-8.');
  return boundary;
};
