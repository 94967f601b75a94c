import type { ErrorReport } from '../../schema/errors.ts';
import { plainError } from '../link/error-response.ts';

/** The text of an error that answers outside of any dialect, ended by a line break. */
export const plainErrorText = (report: ErrorReport): string => `${JSON.stringify(plainError(report))}\n`;
