import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAnswerHeaders, toRequestLines } from '../../../../runtime/server/http2/http2-headers.ts';

const name = fc.constantFrom(
  'content-type',
  'Set-Cookie',
  'X-One',
  'x-one',
  'Connection',
  'Keep-Alive',
  'Transfer-Encoding',
  'date',
);
const value = fc.stringMatching(/^ ?[\x21-\x7e\xa1-\xff]{0,8}$/);
const lines = fc.array(fc.tuple(name, value), { maxLength: 12 });

describe('the head of an answer over HTTP/2', () => {
  it('has the HTTP/1.1 headers in their order for each name, except those of the connection', () => {
    fc.assert(
      fc.property(lines, fc.constantFrom(200, 404, 599), (given, status) => {
        const expected = new Map<string, string[]>();
        for (const [each, text] of given) {
          const lower = each.toLowerCase();
          if (['connection', 'keep-alive', 'transfer-encoding'].includes(lower)) continue;
          expected.set(lower, [...(expected.get(lower) ?? []), text.trim()]);
        }
        const { ':status': written, ...headers } = toAnswerHeaders(status, given.flat());
        expect(written).toBe(status);
        const found = Object.entries(headers).map(([each, texts]) => [each, [texts].flat()]);
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
      }),
    );
  });

  it.each([
    [204, undefined],
    [205, undefined],
    [200, '5'],
    [304, '5'],
  ])('has a length if an answer with the status %i may have one', (status, length) => {
    expect(toAnswerHeaders(status, ['Content-Length', '5', 'x-one', 'a'])).toEqual({
      ...{ ':status': status, 'x-one': 'a' },
      ...(length === undefined ? {} : { 'content-length': length }),
    });
  });

  it.each([
    [101, []],
    [600, []],
    [200, ['a name', 'x']],
    [200, [':path', '/']],
    [200, ['x-one', 'a\r\nb']],
    [200, ['x-one', 'a\u{2014}b']],
  ])('is rejected with the status %i and %j', (status, given) => {
    expect(() => toAnswerHeaders(status, given)).toThrow();
  });
});

describe('the headers of a request over HTTP/2', () => {
  const read = (raw: readonly string[], hasBody = false): readonly string[] => {
    const pairs = raw.flatMap((each, at) => (at % 2 === 0 ? [[each, raw[at + 1] ?? ''] as const] : []));
    return toRequestLines(raw, Object.fromEntries(pairs), hasBody);
  };
  const pseudo = [':method', 'POST', ':path', '/', ':scheme', 'https'];

  it.each<[string, readonly string[], boolean, readonly string[]]>([
    ['the authority as host', [...pseudo, ':authority', 'a.b'], false, ['host', 'a.b']],
    [
      'one host if it is sent twice with the same value',
      [...pseudo, ':authority', 'a.b', 'host', 'a.b'],
      false,
      ['host', 'a.b'],
    ],
    [
      'both hosts if they differ, so that the request is rejected',
      [':authority', 'a', 'host', 'b'],
      false,
      ['host', 'a', 'host', 'b'],
    ],
    ['a host without an authority', [...pseudo, 'host', 'b'], false, ['host', 'b']],
    ['one line of cookies', ['cookie', 'a=1', 'x', 'y', 'cookie', 'b=2'], false, ['cookie', 'a=1; b=2', 'x', 'y']],
    ['a body of unknown length', ['x', 'y'], true, ['x', 'y', 'transfer-encoding', 'chunked']],
    ['a body of a known length', ['content-length', '3'], true, ['content-length', '3']],
  ])('have %s', (_, raw, hasBody, expected) => {
    expect(read(raw, hasBody)).toEqual(expected);
  });
});
