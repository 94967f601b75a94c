import { describe, expect, it } from 'vitest';
import { copyBody, shownData } from '../../../../plugins/sdk/guardrail/plain-json.ts';
import type { Json } from '../../../../schema/json/json.ts';

describe('the data of a verdict', () => {
  it.each(['text', '', 7, 0, true, false, null, [1, [2]], { a: { b: null } }] satisfies Json[])(
    'is shown as it is: %j',
    (data) => expect(shownData(data)).toEqual(data),
  );

  it('is null if it is absent or cannot be written as JSON', () => {
    const circular: { [member: string]: Json } = {};
    circular.self = circular;
    expect([shownData(undefined), shownData(circular), shownData([circular])]).toEqual([null, null, null]);
  });
  it('is a copy that the plugin can no longer change, or null if it is too large', () => {
    const data = { list: [1] };
    const shown = shownData(data);
    data.list.push(2);
    expect(shown).toEqual({ list: [1] });
    expect(shownData('x'.repeat(70_000))).toBeNull();
  });
});

describe('the body that a check returns', () => {
  it('is copied if it is a JSON object, and rejected otherwise', () => {
    const body = { messages: [{ role: 'user' }] };
    expect(copyBody(body)).toEqual(body);
    expect(copyBody(body)).not.toBe(body);
    for (const odd of [[], 'text', 7, null, undefined, () => 1, { toJSON: () => 'text' }])
      expect(() => copyBody(odd)).toThrow(TypeError);
  });
});
