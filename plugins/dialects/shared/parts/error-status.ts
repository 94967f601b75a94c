/** Returns a number from an error, if it is the status of an error response. */
export const errorStatus = (code: number | undefined): number | undefined =>
  code !== undefined && Number.isInteger(code) && code >= 400 && code <= 599 ? code : undefined;
