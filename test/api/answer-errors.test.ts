import { describe, expect, it } from 'vitest';
import { createAnswerErrors, passedOnErrors, secretText } from './document/answer-errors.ts';
import { type ApiDocument, toOperations } from './document/operations.ts';
import type { ApiAnswer } from './run/exchange.ts';

const error = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } } },
};

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });

const document = {
  paths: {
    '/things/{id}': {
      get: {
        operationId: 'get_thing',
        responses: {
          200: json({ type: 'object', required: ['id'], properties: { id: { type: 'string' }, note: {} } }),
          404: json({ $ref: '#/components/schemas/Error' }),
        },
      },
    },
  },
  components: { schemas: { Error: error } },
} as unknown as ApiDocument;

const [getThing] = toOperations(document);
const errors = createAnswerErrors(document);

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): ApiAnswer => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-gw-trace-id': 't', ...headers },
  body: Buffer.from(JSON.stringify(body)),
});

const failed = (message: string): object => ({ error: { message } });

describe('an answer', () => {
  it('has no errors if it is documented', () => {
    expect(errors(answer(200, { id: 'a' }), getThing, 'GET')).toEqual([]);
    expect(errors(answer(404, failed('no')), getThing, 'GET')).toEqual([]);
    expect(errors(answer(405, failed('no'), { allow: 'GET' }), undefined, 'PATCH')).toEqual([]);
    expect(errors({ ...answer(200, ''), body: Buffer.alloc(0) }, getThing, 'HEAD')).toEqual([]);
    const options = { ...answer(204, '', { allow: 'GET' }), body: Buffer.alloc(0) };
    expect(errors(options, undefined, 'OPTIONS')).toEqual([]);
  });

  it.each([
    ['another status', answer(202, { id: 'a' }), 'the status 202 is not documented'],
    ['a failure', answer(500, failed('no')), 'the status 500'],
    ['another content type', answer(200, { id: 'a' }, { 'content-type': 'text/html' }), 'the content type "text/html"'],
    ['a body that is no JSON', { ...answer(200, ''), body: Buffer.from('{') }, 'the body is not JSON'],
    ['a missing member', answer(200, {}), "must have required property 'id'"],
    ['a member of another type', answer(200, { id: 1 }), '/id must be string'],
    ['a member that is not documented', answer(200, { id: 'a', ids: [] }), 'must NOT have'],
    ['an error of another form', answer(404, { message: 'no' }), "must have required property 'error'"],
    ['a header that is not documented', answer(200, { id: 'a' }, { etag: '"a"' }), 'the header etag is not documented'],
    ['a stack trace', answer(404, failed('x\n    at f (file:///a.ts:1:2)')), 'stack trace'],
    ['a credential', answer(200, { id: 'a', note: secretText('b') }), 'a credential'],
    ['a credential in a header', answer(200, { id: 'a' }, { 'x-a': secretText('b') }), 'a credential'],
    ['a service key', answer(200, { id: `gw-${'0'.repeat(26)}-${'0'.repeat(52)}-000000` }), 'a service key'],
    ['a life in caches', answer(200, { id: 'a' }, { 'cache-control': 'max-age=9' }), 'it may be cached'],
  ])('with %s has an error', (_, given, reason) => {
    expect(errors(given, getThing, 'GET').join()).toContain(reason);
  });

  it('to a request that matches no operation must be an error, and a 405 must have an allow header', () => {
    expect(errors(answer(200, { id: 'a' }), undefined, 'GET').join()).toContain('for what is not documented');
    expect(errors(answer(405, failed('no')), undefined, 'PATCH')).toEqual(['it has no allow']);
    expect(errors({ ...answer(204, ''), body: Buffer.alloc(0) }, undefined, 'OPTIONS')).toEqual(['it has no allow']);
    expect(errors(answer(404, { message: 'no' }), undefined, 'GET').join()).toContain("property 'error'");
  });

  it('that is passed on from a provider may be anything that contains no credential', () => {
    if (getThing === undefined) throw new Error('There is no operation.');
    const shared = { ...getThing, isShared: true };
    const provider = { 'x-gw-provider': 'echo', 'cache-control': 'max-age=9' };
    expect(passedOnErrors(answer(202, 'anything', provider), shared)).toEqual([]);
    expect(passedOnErrors(answer(200, secretText('b'), provider), shared)).toEqual([
      'it has a credential that was sent',
    ]);
    expect(passedOnErrors(answer(202, 'anything', provider), getThing)).toBeUndefined();
    expect(passedOnErrors(answer(202, 'anything'), shared)).toBeUndefined();
  });

  it("of a shared operation may be a 502 only if it says that the provider's answer cannot be read", () => {
    if (getThing === undefined) throw new Error('There is no operation.');
    const shared = { ...getThing, isShared: true };
    const unreadable = failed('The answer of echo does not follow its documented format');
    expect(passedOnErrors(answer(502, unreadable), shared, true)).toEqual([]);
    expect(passedOnErrors(answer(502, failed('It could not be reached')), shared, true)).toEqual(['the status 502']);
    expect(errors(answer(502, unreadable), getThing, 'GET')).toContain('the status 502');
  });

  it('of a shared operation may be a 503 if the default config is missing, but not if the store is unavailable', () => {
    if (getThing === undefined) throw new Error('There is no operation.');
    const shared = { ...getThing, isShared: true };
    const head = { ...answer(503, ''), body: Buffer.alloc(0) };
    expect(passedOnErrors(answer(503, failed('the default config "a" is not available')), shared, true)).toEqual([]);
    expect(passedOnErrors(head, shared, true)).toEqual([]);
    expect(passedOnErrors(answer(503, failed('the store is unavailable')), shared, true)).toEqual(['the status 503']);
    const away = { ...head, headers: { ...head.headers, 'retry-after': '1' } };
    expect(passedOnErrors(away, shared, true)).toEqual(['the status 503']);
    expect(errors(head, getThing, 'HEAD')).toEqual(['the status 503']);
  });
});
