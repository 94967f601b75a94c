import { describe, expect, it } from 'vitest';
import { Member } from '../../../../../plugins/dialects/shared/json/member.ts';

describe('a member of a request', () => {
  const wire = new Member('chat', '', { list: ['a', null], text: 'a', object: {} });

  it('is named if it is missing in an object, or in nothing', () => {
    expect(() => wire.at('object').at('name').text()).toThrow('object.name must be a string.');
    expect(() => wire.at('absent').at('name').text()).toThrow('absent.name must be a string.');
    expect(() => wire.at('list').items()[1]?.at('name').text()).toThrow('list[1].name must be a string.');
  });

  it('is not named if the value around it is not an object, which is what is wrong', () => {
    expect(() => wire.at('list').items()[0]?.at('name').text()).toThrow('list[0] must be an object.');
    expect(() => wire.at('text').at('inner').at('name').required()).toThrow('dialect: text must be an object.');
    expect(() => wire.at('list').at('name').required()).toThrow('dialect: list must be an object.');
  });

  it('is absent if the value around it is not an object, as long as nothing requires it', () => {
    expect(wire.at('text').at('inner').at('name').maybeText()).toBeUndefined();
  });
});
