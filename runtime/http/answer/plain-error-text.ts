import { withoutServiceKeys } from '../../../schema/credentials/without-service-keys.ts';
import type { ErrorReport } from '../../../schema/errors/errors.ts';
import { plainError } from '../../engine/error-responses/error-response.ts';

/** Returns the text of an error outside of any dialect, with a line break at its end. */
export const plainErrorText = (report: ErrorReport): string =>
  `${withoutServiceKeys(JSON.stringify(plainError(report)))}\n`;
