/**
 * Returns a segment without what some servers ignore: case, and whatever follows the name, such as `;v=1`, `.json` or `%20`. If
 * the result is the control plane's, the segment belongs only to it, because a body that is meant for it can contain a
 * credential.
 */
export const normaliseSegment = (segment: string): string => /^[\w~-]*/.exec(segment.toLowerCase())?.[0] ?? '';
