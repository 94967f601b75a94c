/**
 * A segment without what some servers ignore: case, and whatever is behind the name, such as `;v=1`, `.json` or `%20`. One
 * that then is the control plane's is nobody else's: a body that is meant for it can contain a credential.
 */
export const normaliseSegment = (segment: string): string => /^[\w~-]*/.exec(segment.toLowerCase())?.[0] ?? '';
