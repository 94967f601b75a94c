import type { ErrorReport } from '../../../schema/errors.ts';
import { withoutServiceKeys } from '../../../schema/without-service-keys.ts';
import { plainError } from '../../engine/responses/error-response.ts';

/** The text of an error outside of any dialect, with a line break at its end. */
export const plainErrorText = (report: ErrorReport): string =>
  `${withoutServiceKeys(JSON.stringify(plainError(report)))}\n`;
