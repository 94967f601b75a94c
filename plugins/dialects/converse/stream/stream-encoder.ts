import type { StreamEncoder } from '../../../sdk/dialect/dialect.ts';
import { jsonFrame } from '../../wire/stream/json-frame.ts';
import { OneAnswerEncoder } from '../../wire/stream/one-answer-encoder.ts';
import { encodeFinish } from '../answer/finish-reasons.ts';
import { unknownMetrics } from '../answer/latency.ts';
import { encodeUsage } from '../answer/usage.ts';
import { encodeStreamError, encodeStreamWireError } from '../errors/errors.ts';
import { BlockEncoder } from './block-encoder.ts';

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
