import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { messages } from '../../../plugins/dialects/messages/messages.ts';
import { uniformError } from '../../../plugins/sdk/dialect/uniform-error.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';

const report = errorReport('request-timeout', { ms: 50 });

const ofGoogle = {
  error: { message: report.message, status: 'DEADLINE_EXCEEDED', details: [{ reason: 'request-timeout' }] },
};
const ofAws = { message: report.message, reason: 'request-timeout', __type: 'ModelTimeoutException' };

/** Error bodies of the formats that do not use the common error object with a type and a code. */
const ownBodies: Readonly<Record<string, object>> = {
  cohere: { message: report.message, code: 'request-timeout' },
  rerank: { message: report.message, code: 'request-timeout' },
  'cohere-embeddings': { message: report.message, code: 'request-timeout' },
  'older-cohere-embeddings': { message: report.message, code: 'request-timeout' },
  'gemini-embeddings': ofGoogle,
  'gemini-embed-content': ofGoogle,
  'vertex-embeddings': ofGoogle,
  gemini: ofGoogle,
  'gemini-count': ofGoogle,
  'google-images': ofGoogle,
  'vertex-rerank': ofGoogle,
  converse: ofAws,
  'converse-count': ofAws,
  'bedrock-images': ofAws,
  'bedrock-rerank': ofAws,
  'titan-embeddings': ofAws,
  'nova-embeddings': ofAws,
};

describe.each(builtinDialects.map((dialect) => [dialect.id, dialect] as const))('errors of %s', (id, dialect) => {
  it('have the code, the message with its hint, and a type if the format has one', () => {
    const { message } = report;
    const usual = { error: { type: 'timeout_error', code: 'request-timeout', message } };
    expect(dialect.encodeError(report)).toMatchObject(ownBodies[id] ?? usual);
  });

  it.each([
    ['{"error":{"message":"No such model","type":"not_found_error"}}', 'No such model'],
    ['{"type":"error","error":{"type":"not_found_error","message":"No such model"}}', 'No such model'],
    ['{"error":"No such model"}', 'No such model'],
    ['{"message":"No such model"}', 'No such model'],
    ['{"detail":"No such model"}', 'No such model'],
    ['[{"error":{"code":404,"message":"No such model"}}]', 'No such model'],
    [
      '{"detail":[{"loc":["body","tools",0],"msg":"Not permitted","input":"x"},{"loc":["body"],"msg":"Bad"}]}',
      'tools.0: Not permitted; Bad',
    ],
    [
      '{"object":"error","message":{"detail":[{"loc":["body","model"],"msg":"Field required"}]}}',
      'model: Field required',
    ],
    ['{"message":[{"type":"missing","loc":["query","a"],"msg":"Field required"}]}', 'query.a: Field required'],
    ['{"errors":["No such model"]}', 'No such model'],
    ['{"error":["No such model"]}', 'No such model'],
    ['{"detail":[{"a":1}]}', '{"detail":[{"a":1}]}'],
    ['{"errors":[{"title":"Bad","detail":"No such model"}]}', 'No such model'],
    ['{"code":1211,"msg":"No such model"}', 'No such model'],
    ['{"error":{"msg":"No such model"}}', 'No such model'],
    ['{"error":"","message":"No such model"}', 'No such model'],
    ['{"message":"","detail":"No such model"}', 'No such model'],
    ['{"fault":{"faultstring":"No such model","detail":{"errorcode":"x.y"}}}', 'No such model'],
    ['{"error":"invalid_grant","error_description":"No such model"}', 'No such model'],
    ['{"type":"about:blank","title":"No such model","status":404}', 'No such model'],
    ['<html>Bad gateway</html>', 'The provider answered with an HTML page, "Bad gateway".'],
    [
      '<html>\r\n<head><title>502 Bad\n Gateway</title></head>…',
      'The provider answered with an HTML page, "502 Bad Gateway".',
    ],
    ['\n<!DOCTYPE html>\n<html><body></body></html>', 'The provider answered with an HTML page.'],
    ['<html><body><h1>503 Out</h1>\nNo server.</body>', 'The provider answered with an HTML page, "503 Out".'],
    [
      `<!doctype html><title>${'x'.repeat(500)}</title>`,
      `The provider answered with an HTML page, "${'x'.repeat(200)}".`,
    ],
    ['{"error":{"message":"<html><title>Oops</title></html>"}}', 'The provider answered with an HTML page, "Oops".'],
    ['<Error><Code>NoSuchModel</Code></Error>', '<Error><Code>NoSuchModel</Code></Error>'],
    ['a < b', 'a < b'],
    ['', 'The provider answered 404 without a message.'],
  ])('are read from %s', (body, message) => {
    expect(dialect.decodeError(404, body)).toMatchObject({ message, status: 404 });
  });
});

describe.each(builtinDialects.map((dialect) => [dialect.id, dialect] as const))(
  'an error in a stream of %s',
  (_id, dialect) => {
    it.each(['{"error":""}', '{"error":{"message":""}}', '{"message":" "}', ''])(
      'has a message even if its data is %j',
      (data) => {
        expect(dialect.decodeStreamError({ event: 'error', data }).message.trim()).not.toBe('');
      },
    );

    it.each([0, -1, 200, 404.5, 1000])('has no status if its code is %j', (code) => {
      const data = JSON.stringify({ error: { code, message: 'No.' } });
      expect(dialect.decodeStreamError({ event: 'error', data })).not.toHaveProperty('status');
    });
  },
);

it('an error without an error object has no type', () => {
  expect(chat.decodeError(500, '{"type":"error","message":"Oops"}')).toEqual({ message: 'Oops', status: 500 });
});

describe('an error from another provider', () => {
  it('keeps its message and type in the chat format', () => {
    const error = messages.decodeError(
      529,
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    );
    expect(chat.encodeWireError(error, 529)).toEqual({
      error: { message: 'Overloaded', type: 'overloaded_error', param: null, code: null },
    });
  });

  it("has the code from Anthropic's error details, in a response and in a stream", () => {
    const details = { error_code: 'image_dimensions_too_large', paths: ['messages.0'] };
    const data = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: 'No', details } });
    const expected = { message: 'No', type: 'invalid_request_error', code: 'image_dimensions_too_large', status: 400 };
    expect(messages.decodeError(400, data)).toEqual(expected);
    expect(messages.decodeStreamError({ event: 'error', data })).toEqual(expected);
  });

  it.each([
    ['{"error":"invalid_grant","error_description":"Expired."}', 'Expired.', 'invalid_grant'],
    ['{"fault":{"faultstring":"Bad key","detail":{"errorcode":"oauth.v2.Bad"}}}', 'Bad key', 'oauth.v2.Bad'],
    ['{"code":1211,"msg":"No such model"}', 'No such model', '1211'],
  ])('has the code that is beside its message in %s', (body, message, code) => {
    expect(chat.decodeError(400, body)).toEqual({ message, code, status: 400 });
  });

  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [408, 'timeout_error'],
    [413, 'request_too_large'],
    [422, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [529, 'overloaded_error'],
  ])('with status %i has the messages type %s', (status, type) => {
    const error = chat.decodeError(status, '{"error":{"message":"No","type":"insufficient_quota","code":"x"}}');
    expect(messages.encodeWireError(error, status)).toEqual({
      type: 'error',
      error: { type, message: 'No', code: 'x' },
    });
  });
});

describe('an error that a provider of the same format writes in another form', () => {
  const uniform = (text: string, value?: Json): JsonObject | undefined =>
    uniformError(chat, { status: 429, headers: [], text, value });
  const error = { message: 'Too many requests', type: 'rate_limit_error', param: null, code: null };

  it('keeps its text if it is not JSON', () => {
    expect(uniform('Too many requests\n')).toEqual({ error });
    expect(uniform('')).toEqual({ error: { ...error, message: 'The provider answered 429 without a message.' } });
  });

  it('keeps its texts if they are a list in place of the error', () => {
    const value = { error: ['Too many requests'] };
    expect(uniform(JSON.stringify(value), value)).toEqual({ error });
  });
});

describe('an error of a provider behind OpenRouter', () => {
  const words = "Messages must contain the word 'json'.";
  const message = `Provider returned error: ${words}`;

  it.each([words, JSON.stringify({ error: { message: words } }), { error: { message: words } }])(
    'has the words of that provider if they are %j',
    (raw) => {
      const error = { message: 'Provider returned error', code: 400, metadata: { raw, provider_name: 'OpenAI' } };
      const data = JSON.stringify({ error });
      expect(chat.decodeError(400, data)).toMatchObject({ message, code: '400' });
      expect(chat.decodeStreamError({ data })).toMatchObject({ message, code: '400' });
      const choices = [{ index: 0, delta: {}, finish_reason: 'error', error }];
      expect(chat.decodeStreamError({ data: JSON.stringify({ choices }) })).toMatchObject({ message });
    },
  );

  it.each([undefined, null, '', 42, 'Provider returned error'])('has its own message if they are %j', (raw) => {
    const data = JSON.stringify({ error: { message: 'Provider returned error', metadata: { raw } } });
    expect(chat.decodeError(400, data)).toMatchObject({ message: 'Provider returned error' });
  });
});

describe('an error in a stream', () => {
  it('has the status that its type stands for', () => {
    const data = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
    expect(messages.decodeStreamError({ event: 'error', data })).toEqual({
      message: 'Overloaded',
      type: 'overloaded_error',
      status: 529,
    });
  });

  it('has the status that a compatible provider sends as its code', () => {
    const data = '{"error":{"message":"Slow down","code":429}}';
    expect(chat.decodeStreamError({ data })).toEqual({ message: 'Slow down', code: '429', status: 429 });
    expect(chat.decodeStreamError({ data: data.replace('429', '"429"') })).toMatchObject({ code: '429', status: 429 });
  });

  it.each([
    ['{"message":"Slow down","type":"requests","code":"rate_limit_exceeded"}', 429],
    ['{"message":"Spent","type":"insufficient_quota","code":null}', 429],
    ['{"message":"Sorry","type":"server_error","param":null,"code":null}', undefined],
  ])('has the status of a limit in the chat format if its code or type is one: %s', (error, status) => {
    expect(chat.decodeStreamError({ data: `{"error":${error}}` }).status).toBe(status);
  });

  it('is written as a frame of its dialect', () => {
    expect(chat.encodeStreamError(report)).toEqual({ data: expect.stringMatching(/^\{"error":.*\}$/) });
    expect(messages.encodeStreamError(report)).toEqual({
      event: 'error',
      data: expect.stringMatching(/^\{"type":"error".*\}$/),
    });
  });
});
