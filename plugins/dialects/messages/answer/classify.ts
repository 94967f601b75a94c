import { findObject, findText } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Dialect, FrameClass } from '../../../sdk/dialect/dialect.ts';
import type { EndFrame } from '../../../sdk/dialect/stream-usage.ts';
import { classifyByType } from '../../shared/answer/classify-by-type.ts';
import { findUntypedError } from '../parts/errors.ts';

export const endFrames: readonly EndFrame[] = [{ type: 'message_stop' }];

/** Returns the class of a block's start. A text or thinking block begins empty; any other block has content at its start. */
const classifyBlock = (data: string): FrameClass => {
  const block = findObject(parseObject(data)?.content_block);
  if (block?.type === 'text') return (findText(block.text) ?? '') === '' ? 'preamble' : 'content';
  if (block?.type === 'thinking') return (findText(block.thinking) ?? '') === '' ? 'preamble' : 'content';
  return 'content';
};

const classifyType = (type: string, data: string): FrameClass => {
  switch (type) {
    case 'content_block_delta':
      return 'content';
    case 'content_block_start':
      return classifyBlock(data);
    case 'message_delta':
      return 'usage';
    case 'message_stop':
      return 'end';
    case 'error':
      return 'error';
    case '':
      return findUntypedError(parseObject(data)) === undefined ? 'preamble' : 'error';
    default:
      // message_start, ping, content_block_stop, and unknown events.
      return 'preamble';
  }
};

export const classify: Dialect['classify'] = classifyByType(classifyType);
