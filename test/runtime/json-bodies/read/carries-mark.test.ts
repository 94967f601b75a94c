import { expect, it } from 'vitest';
import { carriesMark, toMark } from '../../../../runtime/json-bodies/read/carries-mark.ts';

const marks = ['"gw1.', '"content_blocks"'].map(toMark);
const carries = (text: string): boolean => carriesMark({ kind: 'bytes', bytes: Buffer.from(text) }, marks);

it.each([
  ['a mark', '{"id":"gw1.scope.value"}', true],
  ['another mark', '{"content_blocks":[]}', true],
  ['a mark after a text that quotes it', '{"text":"\\"gw1. is a mark","id":"gw1.scope.value"}', true],
  ['a mark after a part of another mark', '{"temperature":1.5,"id":"gw1.scope.value"}', true],
  ['only a text that quotes a mark', '{"text":"\\"gw1. is a mark"}', false],
  ['only a part of a mark', '{"temperature":1.5,"my_blocks":[]}', false],
  ['no bytes', '', false],
])('carriesMark is right about a body with %s', (_, text, found) => {
  expect(carries(text)).toBe(found);
});

it('carriesMark finds no mark if there is no body', () => {
  expect(carriesMark({ kind: 'none' }, marks)).toBe(false);
});
