import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayNameSlug } from '../../../../runtime/json-bodies/read/may-name-slug.ts';
import { namedModel } from '../../../../runtime/json-bodies/read/named-model.ts';
import { slugModel } from '../../../../schema/text/slug-model.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const named = (text: string) =>
  namedModel(
    sampleExchange(text.startsWith('{') && isJson(text) ? JSON.parse(text) : {}, {
      request: {
        method: 'POST',
        path: '/x',
        headers: [],
        body: { kind: 'bytes', bytes: Buffer.from(text) },
      },
    }),
  );

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the model that a body names', () => {
  it.each([
    '{"model":"@a/b"}',
    '{ "x": "@y", "model" :\n\t"@a/b" }',
    '{"tools":[{"model":"@c/d"}],"model":"@a/b"}',
    '{"model":"@c/d","model":"@a/b"}',
  ])('is read from %s', (text) => {
    expect(named(text)).toEqual({ slug: 'a', model: 'b' });
  });

  it.each([
    '{"model":"a/b"}',
    '{"model":"@a"}',
    '{"model":["@a/b"]}',
    '{"models":"@a/b"}',
    '{"x":{"model":"@a/b"}}',
    '{"x":"\\"model\\":","y":"@a/b"}',
    '"@a/b"',
    '',
  ])('is absent from %s', (text) => {
    expect(named(text)).toBeUndefined();
  });

  it('is missing if there is no body', () => {
    expect(
      namedModel(sampleExchange({}, { request: { method: 'GET', path: '/', headers: [], body: { kind: 'none' } } })),
    ).toBe(undefined);
  });

  it('is found however a body is written, unless the body escapes it', () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), fc.constantFrom(undefined, 1, '\t'), (value, model, space) => {
        const body = { before: JSON.parse(value), model: `@${model}`, after: value };
        const text = JSON.stringify(body, undefined, space);
        expect(mayNameSlug(Buffer.from(text))).toBe(true);
      }),
      lawRuns,
    );
  });

  it('is searched for in the bytes of a body only while that is cheaper than parsing it', () => {
    const bytes = Buffer.from(JSON.stringify(Array.from({ length: 100_000 }, () => '@')));
    expect(mayNameSlug(bytes)).toBe(true);
  });
});

describe('@slug/model', () => {
  it.each([
    ['@a/b', { slug: 'a', model: 'b' }],
    ['@a/b/c', { slug: 'a', model: 'b/c' }],
    ['@a/@b/c', { slug: 'a', model: '@b/c' }],
    ['@a', undefined],
    ['@a/', undefined],
    ['@/b', undefined],
    ['a/b', undefined],
    ['', undefined],
  ])('%j', (text, expected) => {
    expect(slugModel(text)).toEqual(expected);
  });
});
