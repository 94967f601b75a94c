import type { EncodeAnswer, StreamEncoder } from '../../../sdk/dialect/dialect.ts';
import { jsonFrame } from '../../shared/answer/json-frame.ts';
import { OneAnswerEncoder } from '../../shared/answer/one-answer-encoder.ts';
import { defined } from '../../shared/json/defined.ts';
import { encodeStreamError, encodeStreamWireError } from '../parts/errors.ts';
import { BlockEncoder } from './block-encoder.ts';
import { encodeFinish } from './finish-reasons.ts';
import { encodeUsage } from './usage.ts';

/** https://docs.cohere.com/reference/chat-stream */
export const streamEncoder = ({ id: ownId = 'gw-cohere' }: EncodeAnswer): StreamEncoder => {
  const blocks = new BlockEncoder();
  return new OneAnswerEncoder({
    start({ id }) {
      const message = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] };
      return [jsonFrame({ id: id === '' ? ownId : id, type: 'message-start', delta: { message } }, 'message-start')];
    },
    block: (event) => blocks.push(event),
    end({ finish, usage }) {
      const tokens = usage === undefined ? undefined : encodeUsage(usage);
      const delta = defined({ finish_reason: encodeFinish(finish), usage: tokens });
      return [...blocks.end(), jsonFrame({ type: 'message-end', delta }, 'message-end')];
    },
    wireError: (error) => [encodeStreamWireError(error)],
    error: (report) => [encodeStreamError(report)],
  });
};
