import { describe, expect, it } from 'vitest';
import { ValidCallIds } from '../../../../../plugins/dialects/shared/request/valid-call-ids.ts';
import { toObjects } from '../../../../../schema/json/loose.ts';
import { chatCodec, converseCodec, messagesCodec, requestVia } from '../../support/codecs.ts';

const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'Done.' });

/** A turn of Kimi that another provider continues. */
const request = {
  model: 'claude-opus-5',
  max_tokens: 9,
  messages: [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [call('functions.search:0', 'search'), call('functions_search_0', 'search'), call('', 'search')],
    },
    result('functions.search:0'),
    result('functions_search_0'),
    result(''),
  ],
};

const sent = ['functions_search_0', 'functions_search_0_2', 'call'];

describe('call ids from another provider', () => {
  it('are written as Anthropic accepts them, identically in a call and in its result', () => {
    const { body } = requestVia(chatCodec, messagesCodec, request);
    const [, called, answered] = toObjects(body.messages);
    expect(toObjects(called?.content).map(({ id }) => id)).toEqual(sent);
    expect(toObjects(answered?.content).map(({ tool_use_id: id }) => id)).toEqual(sent);
  });

  it('are written as Bedrock accepts them', () => {
    const { body } = requestVia(chatCodec, converseCodec, request);
    const [, called, answered] = toObjects(body.messages);
    expect(toObjects(called?.content)).toMatchObject(sent.map((toolUseId) => ({ toolUse: { toolUseId } })));
    expect(toObjects(answered?.content)).toMatchObject(sent.map((toolUseId) => ({ toolResult: { toolUseId } })));
  });

  it('are within the length limit of the service, and stay unique', () => {
    const ids = new ValidCallIds(12);
    const long = 'a'.repeat(20);
    expect([ids.of(long), ids.of(`${long}b`), ids.of(`${long}c`), ids.of(long), ids.of('a_2')]).toEqual([
      'aaaaaaaaaaaa',
      'aaaa_2',
      'aaaa_3',
      'aaaaaaaaaaaa',
      'a_2',
    ]);
  });
});
