import type { StreamEncoder } from '../../../sdk/dialect/dialect.ts';
import { jsonFrame } from '../../shared/answer/json-frame.ts';
import { OneAnswerEncoder } from '../../shared/answer/one-answer-encoder.ts';
import { encodeStreamError, encodeStreamWireError } from '../parts/errors.ts';
import { BlockEncoder } from './block-encoder.ts';
import { encodeFinish } from './finish-reasons.ts';
import { unknownMetrics } from './latency.ts';
import { encodeUsage } from './usage.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
export const streamEncoder = (): StreamEncoder => {
  const blocks = new BlockEncoder();
  return new OneAnswerEncoder({
    start: () => [jsonFrame({ role: 'assistant' }, 'messageStart')],
    block: (event) => blocks.push(event),
    end: ({ finish, refused, usage }) => [
      ...blocks.end(),
      jsonFrame(encodeFinish(finish, refused), 'messageStop'),
      jsonFrame({ ...encodeUsage(usage), ...unknownMetrics }, 'metadata'),
    ],
    wireError: (error) => [encodeStreamWireError(error)],
    error: (report) => [encodeStreamError(report)],
  });
};
