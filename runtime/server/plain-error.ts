import type { ErrorReport } from '../../schema/errors.ts';

/** The body of an error that is no dialect's: of a page, or of what could not be read as a request. */
export const plainError = ({ message, type, code }: ErrorReport): string =>
  `${JSON.stringify({ error: { message, type, param: null, code } })}\n`;
