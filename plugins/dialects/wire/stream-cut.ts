import type { WireError } from '../../../schema/conversation.ts';
import { errorReport } from '../../../schema/errors.ts';

const { message, code, status } = errorReport('stream-cut', {});

/** A stream whose bytes ended before its answer did. */
export const streamCut: WireError = { message, code, status };
