import { describe, expect, it } from 'vitest';
import { responses } from '../../../../../plugins/dialects/responses/responses.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';

const report = errorReport('request-timeout', { ms: 50 });
const { message } = report;

describe('an error of the responses dialect', () => {
  it('has the chat format outside of streams', () => {
    expect(responses.encodeError(report)).toEqual({
      error: { message, type: 'timeout_error', param: null, code: 'request-timeout' },
    });
  });

  it('is an event in a stream, with the members of both forms that clients read', () => {
    const { event, data } = responses.encodeStreamError(report);
    const error = { message, type: 'timeout_error', param: null, code: 'request-timeout' };
    expect(event).toBe('error');
    expect(JSON.parse(data)).toEqual({
      type: 'error',
      sequence_number: 0,
      code: 'request-timeout',
      message,
      param: null,
      error,
    });
    expect(responses.decodeStreamError({ data })).toEqual({ message, type: 'timeout_error', code: 'request-timeout' });
  });

  it.each([
    [
      '{"type":"error","code":"server_error","message":"No","param":null}',
      { message: 'No', code: 'server_error', status: 500 },
    ],
    [
      '{"type":"error","error":{"type":"rate_limit_error","message":"No"}}',
      { message: 'No', type: 'rate_limit_error', status: 429 },
    ],
    [
      '{"type":"response.failed","response":{"error":{"code":"invalid_prompt","message":"No"}}}',
      { message: 'No', code: 'invalid_prompt', status: 400 },
    ],
    ['{"type":"error","error":"No"}', { message: 'No' }],
    ['No', { message: 'No' }],
  ])('is read from %s', (data, error) => {
    expect(responses.decodeStreamError({ event: 'error', data })).toEqual(error);
  });
});
