/** A value as one segment of a path; an `Error` with the given sentence if there is none, or if it would be a step up. */
export const filledSegment = (value: string | undefined, otherwise: string): string => {
  if (value === undefined || value === '' || value === '.' || value === '..') throw new Error(otherwise);
  return encodeURIComponent(value);
};
