import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { droppedParams } from '../../../../runtime/engine/forwarded-headers/dropped-params.ts';

describe('the header for what a request lost', () => {
  it('is absent if nothing was lost, and lists the names otherwise', () => {
    expect(droppedParams([])).toBeUndefined();
    expect(droppedParams(['sampling.seed', 'turns[1].parts[0].cache'])).toBe('sampling.seed, turns[1].parts[0].cache');
  });

  it('names each member once, and several places of a member as one', () => {
    expect(droppedParams(['user', 'user', 'tools[0].cache', 'tools[0].cache'])).toBe('user, tools[0].cache');
    expect(droppedParams(['turns[0].parts[0].cache', 'user', 'turns[12].parts[3].cache'])).toBe(
      'turns[*].parts[*].cache, user',
    );
  });

  it('ends with an ellipsis if it would be longer than 1 KB', () => {
    const text = droppedParams(Array.from({ length: 200 }, (_, at) => `extensions.chat.name-${at}`)) ?? '';
    expect(text.length).toBeLessThanOrEqual(1024);
    expect(text.length).toBeGreaterThan(980);
    expect(text).toMatch(/name-\d+, \.\.\.$/);
  });

  it('is complete as long as an ellipsis would still fit, with each name cut at 200 characters', () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(200));
    const last = (length: number): string => 'f'.repeat(length);
    const whole = [...names, last(9)].join(', ');
    expect(whole).toHaveLength(1019);
    expect(droppedParams([...names, last(9)])).toBe(whole);
    expect(droppedParams([...names, last(10)])).toBe(`${names.join(', ')}, ...`);
    expect(droppedParams(['a'.repeat(201), 'b'])).toBe(`${'a'.repeat(200)}, b`);
  });

  it('contains only characters that can be sent', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { minLength: 1 }), (lost) => {
        expect(droppedParams(lost)).toMatch(/^[ -~]{0,1024}$/);
      }),
    );
    expect(droppedParams(['extensions.chat.a, b\r\nx: 1é'])).toBe('extensions.chat.a??b??x:?1?');
  });
});
