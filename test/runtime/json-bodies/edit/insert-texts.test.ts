import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insertTexts } from '../../../../runtime/json-bodies/edit/insert-texts.ts';
import { type PointerToken, toPointer } from '../../../../schema/json/pointer.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const insert = (
  text: string,
  at: readonly PointerToken[],
  where: 'before' | 'inside' | 'after',
  added: string,
): string => insertTexts(Buffer.from(text), [{ at: toPointer(at), where, text: added }]).toString();

/** Returns the pointers of all values in a value. */
const placesIn = (value: unknown, at: readonly PointerToken[] = []): readonly (readonly PointerToken[])[] => {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, member]) => placesIn(member, [...at, key]))];
};

const valueAt = (value: unknown, at: readonly PointerToken[]): unknown =>
  at.reduce<unknown>((inner, token) => Object.entries(inner ?? {}).find(([key]) => key === String(token))?.[1], value);

describe('inserting texts into JSON', () => {
  it('finds every value of every document, and changes nothing else', () => {
    // No backslash: V8's JSON.parse reads the key "\"" as one that an earlier object of the same shape had.
    const json = fc.jsonValue({ stringUnit: fc.constantFrom('a', '{', ']', ',', '"', 'é') });
    const law = fc.property(json, fc.nat(), fc.constantFrom(0, 2), (value, choice, indent) => {
      const places = placesIn(value);
      const at = places[choice % places.length] ?? [];
      const text = JSON.stringify(value, null, indent);
      const wrapped = insertTexts(Buffer.from(text), [
        { at: toPointer(at), where: 'before', text: '[' },
        { at: toPointer(at), where: 'after', text: ']' },
      ]).toString();
      const read: unknown = JSON.parse(wrapped);
      expect(valueAt(read, [...at, 0])).toEqual(valueAt(JSON.parse(text), at));
      expect(wrapped.length).toBe(text.length + 2);
    });
    fc.assert(law, lawRuns);
  });

  it('adds a text at the end of an object or a list, inside it', () => {
    expect(insert('{ "a": [ {"b":1} , 2 ] }', ['a', 0], 'inside', ',"c":3')).toBe('{ "a": [ {"b":1,"c":3} , 2 ] }');
    expect(insert('{ "a": [ 1 ] }', ['a'], 'inside', ',2')).toBe('{ "a": [ 1 ,2] }');
  });

  it('uses the last of repeated keys, as JSON.parse does', () => {
    expect(insert('{"a":1,"a":2}', ['a'], 'after', '3')).toBe('{"a":1,"a":23}');
  });

  it('skips a text whose place does not exist', () => {
    for (const at of [['b'], ['a', 0], ['a', 5], [7]]) expect(insert('{"a":[]}', at, 'before', 'x')).toBe('{"a":[]}');
  });
});
