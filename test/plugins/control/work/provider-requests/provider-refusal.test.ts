import { describe, expect, it } from 'vitest';
import { errorBody } from '../../../../../plugins/control/work/provider-requests/provider-refusal.ts';

describe('the error of a provider, in the answer to a job', () => {
  it.each([
    ['an error of OpenAI', '{"error":{"message":"No.","code":"taken","type":"t"}}', 'No.', 'taken'],
    [
      'an error of Google',
      '{"error":{"message":"No.","code":400,"status":"INVALID_ARGUMENT"}}',
      'No.',
      'INVALID_ARGUMENT',
    ],
    ['a list with an error of Google', '[{"error":{"message":"No.","code":403}}]', 'No.', '403'],
    ['an error of AWS', '{"Message":"No."}', 'No.', null],
    ['an error of S3', '<Error><Code>NoSuchKey</Code><Message>No.</Message></Error>', 'No.', 'NoSuchKey'],
    [
      'problems of FastAPI',
      '{"detail":[{"loc":["body","file"],"msg":"Field required"}]}',
      'file: Field required',
      null,
    ],
    ['a list of errors', '{"errors":[{"message":"No.","code":7}]}', 'No.', '7'],
    [
      'an HTML page of a proxy',
      '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>',
      'The provider answered with an HTML page, "502 Bad Gateway".',
      null,
    ],
    ['a plain text', 'No.', 'No.', null],
    ['no body', '', 'The provider answered 400 without a message.', null],
  ])('has the message and the code of %s', (_, text, message, code) => {
    expect(errorBody(400, text)).toEqual({ error: { message, type: 'invalid_request_error', param: null, code } });
  });

  it('is passed on as it is if it is in the form of OpenAI', () => {
    const error = { message: 'No.', type: 'own', param: null, code: 'c' };
    expect(errorBody(400, JSON.stringify({ error, id: 1 }))).toEqual({ error, id: 1 });
  });
});
