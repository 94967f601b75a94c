import type { WireError } from '../../../schema/conversation.ts';
import { errorReport } from '../../../schema/errors.ts';

const { message, code, status } = errorReport('stream-cut', {});

/** The error of a stream that ended before its answer was complete. */
export const streamCut: WireError = { message, code, status };
