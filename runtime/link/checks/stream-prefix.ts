import { errorReport } from '../../../schema/errors.ts';
import type { LeafCall } from '../leaf-call.ts';

/**
 * The event that tells a stream's client what the input checks found, ahead of the answer. It belongs to no vendor's
 * dialect, so that only clients which loosened strictness get it; where events have names it has one too.
 */
export const streamPrefix = ({ inputResults, dialect }: LeafCall, strict: boolean): string | undefined => {
  if (strict || inputResults === undefined || dialect === undefined) return undefined;
  const data = JSON.stringify({ hook_results: { before_request_hooks: inputResults } });
  const isNamed = /^event:/m.test(dialect.encodeStreamError(errorReport('stream-cut', {})));
  return `${isNamed ? 'event: hook_results\n' : ''}data: ${data}\n\n`;
};
