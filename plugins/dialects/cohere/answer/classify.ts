import { findObject } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Dialect, FrameClass } from '../../../sdk/dialect/dialect.ts';
import type { EndFrame } from '../../../sdk/dialect/stream-usage.ts';
import { classifyByType } from '../../shared/answer/classify-by-type.ts';
import { hasFailed } from './finish-reasons.ts';

export const endFrames: readonly EndFrame[] = [{ type: 'message-end' }];

/** Returns the class of a block's start. A block of content begins empty. */
const classifyStart = (data: string): FrameClass => {
  const content = findObject(findObject(findObject(parseObject(data)?.delta)?.message)?.content) ?? {};
  return Object.entries(content).some(([name, value]) => name !== 'type' && value !== '') ? 'content' : 'preamble';
};

const classifyEnd = (data: string): FrameClass =>
  hasFailed(findObject(parseObject(data)?.delta) ?? {}) ? 'error' : 'end';

const classifyType = (type: string, data: string): FrameClass => {
  switch (type) {
    case 'content-delta':
    case 'tool-plan-delta':
    case 'tool-call-start':
    case 'tool-call-delta':
    case 'citation-start':
      return 'content';
    case 'content-start':
      return classifyStart(data);
    case 'message-end':
      return classifyEnd(data);
    default:
      // message-start, the ends of blocks, debug, and unknown events.
      return 'preamble';
  }
};

export const classify: Dialect['classify'] = classifyByType(classifyType);
