import { findObject } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Frame, FrameClass } from '../../../sdk/dialect/dialect.ts';
import type { EndFrame } from '../../../sdk/dialect/stream-usage.ts';

export const endFrames: readonly EndFrame[] = [{ type: 'messageStop' }];

/** Whether a frame ends a stream with an error. An exception is recognised by its name, any other error by its headers. */
export const isError = ({ event, headers }: Frame): boolean => {
  const type = headers?.[':message-type'];
  return type === 'exception' || type === 'error' || event?.endsWith('Exception') === true;
};

/** Returns the class of an event. The payload matters only where a block begins; a text's payload does not show its class. */
export const classify = (frame: Frame): FrameClass => {
  if (isError(frame)) return 'error';
  switch (frame.event) {
    case 'contentBlockDelta':
      return 'content';
    case 'contentBlockStart':
      return Object.keys(findObject(parseObject(frame.data)?.start) ?? {}).length === 0 ? 'preamble' : 'content';
    case 'messageStop':
      return 'end';
    case 'metadata':
      return 'usage';
    default:
      // messageStart, contentBlockStop, and unknown events.
      return 'preamble';
  }
};
