import type { WireError } from '../../../../schema/conversation/answer.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';

const { message, code, status } = errorReport('stream-cut', {});

/** The error of a stream that ended before its answer was complete. */
export const streamCut: WireError = { message, code, status };
