import { describe, expect, it } from 'vitest';
import { shownData } from '../../../runtime/link/checks/shown-data.ts';
import type { Json } from '../../../schema/json.ts';

describe('the data of a verdict', () => {
  it.each(['text', '', 7, 0, true, false, null, [1, [2]], { a: { b: null } }] satisfies Json[])(
    'is shown as it is: %j',
    (data) => expect(shownData(data)).toBe(data),
  );

  it('is null if it is absent, or cannot be written as JSON', () => {
    const circular: { [member: string]: Json } = {};
    circular.self = circular;
    expect([shownData(undefined), shownData(circular), shownData([circular])]).toEqual([null, null, null]);
  });
});
