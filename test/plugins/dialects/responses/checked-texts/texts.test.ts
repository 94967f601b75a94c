import { describe, expect, it } from 'vitest';
import { responses } from '../../../../../plugins/dialects/responses/responses.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { CheckPhase } from '../../../../../schema/trail/trail.ts';

const findSpans = (body: JsonObject, phase: CheckPhase = 'input'): readonly unknown[] | undefined =>
  responses
    .texts?.(body, phase)
    ?.map(({ at, kind, text, choice }) => [at, kind, text, ...((choice ?? false) === false ? [] : [choice])]);

const said = (role: string, text: string): JsonObject => ({ role, content: [{ type: 'input_text', text }] });
const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"q":"caf\\u00e9"}' };

describe('the texts of a responses request', () => {
  it('are those after the last item of the model', () => {
    const input = [
      said('user', 'one'),
      { role: 'assistant', content: 'two' },
      call,
      { type: 'function_call_output', call_id: 'a', output: 'three' },
      { type: 'custom_tool_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'four' }] },
      { type: 'local_shell_call_output', call_id: 'c', output: 'five' },
      { type: 'computer_call_output', call_id: 'd', output: { type: 'computer_screenshot', image_url: 'data:x' } },
      said('user', 'six'),
    ];
    expect(findSpans({ instructions: 'zero', input })).toEqual([
      ['/input/3/output', 'tool-result', 'three'],
      ['/input/4/output/0/text', 'tool-result', 'four'],
      ['/input/5/output', 'tool-result', 'five'],
      ['/input/7/content/0/text', 'text', 'six'],
    ]);
    expect(findSpans({ input: 'Hi' })).toEqual([['/input', 'text', 'Hi']]);
    expect(findSpans({ messages: [] })).toBeUndefined();
  });

  it('include the variables of a stored prompt, which may be the only texts', () => {
    const variables = {
      city: 'Oslo',
      note: { type: 'input_text', text: 'three' },
      map: { type: 'input_image', image_url: 'data:x' },
    };
    const found = [
      ['/prompt/variables/city', 'text', 'Oslo'],
      ['/prompt/variables/note/text', 'text', 'three'],
    ];
    const prompt = { id: 'pmpt_1', variables };
    expect(findSpans({ prompt })).toEqual(found);
    expect(findSpans({ prompt, input: 'Hi' })).toEqual([['/input', 'text', 'Hi'], ...found]);
    expect(findSpans({ prompt, input: [said('user', 'one')] })).toEqual([
      ['/input/0/content/0/text', 'text', 'one'],
      ...found,
    ]);
    expect(findSpans({ prompt: { id: 'pmpt_1' } })).toEqual([]);
    expect(findSpans({ prompt: { id: 'pmpt_1', variables: { map: variables.map } } })).toBeUndefined();
  });

  it.each<[string, JsonObject]>([
    ['an empty model turn', { role: 'assistant', content: '' }],
    ['reasoning', { type: 'reasoning', summary: [] }],
    ['a reference', { type: 'item_reference', id: 'msg_1' }],
    ['a reference without a type', { id: 'msg_1' }],
    ['a reference whose type is null', { type: null, id: 'msg_1' }],
    ["a call of the provider's tool", { type: 'web_search_call', id: 'ws_1' }],
    ['an item of an unknown type', { type: 'dream', id: 'dr_1' }],
    ['a list of additional tools', { type: 'additional_tools', role: 'developer', tools: [] }],
    ['a compaction trigger', { type: 'compaction_trigger' }],
    ['an instruction', { role: 'developer', content: '' }],
  ])('include those before %s, which hides nothing', (_name, last) => {
    const input = [said('user', 'one'), { role: 'assistant', content: 'two' }, said('user', 'three'), last, last];
    expect(findSpans({ input })?.[0]).toEqual(['/input/2/content/0/text', 'text', 'three']);
    expect(findSpans({ input: [said('user', 'one'), last] })?.[0]).toEqual(['/input/0/content/0/text', 'text', 'one']);
  });

  it('are those of the whole conversation if checks judge all turns', () => {
    const input = [said('user', 'one'), { role: 'assistant', content: 'two' }, said('user', 'three')];
    const all = responses.texts?.({ input }, 'input', { turns: 'all', unknown: 'judge' });
    expect(all?.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    expect(responses.earlierTexts?.({ instructions: 'zero', input }, { turns: 'all', unknown: 'judge' })).toEqual([
      { at: '/instructions', kind: 'text', text: 'zero' },
    ]);
  });

  it('include those of outputs and contents that are objects, and of files in every notation', () => {
    const file = (data: string): JsonObject => ({ role: 'user', content: [{ type: 'input_file', file_data: data }] });
    const words = Buffer.from('the words');
    const texts = (...input: readonly JsonObject[]): readonly unknown[] =>
      (responses.texts?.({ input }, 'input') ?? []).map(({ text }) => text);
    expect(texts({ type: 'function_call_output', call_id: 'c', output: { type: 'input_text', text: 'a' } })).toEqual([
      'a',
    ]);
    expect(texts({ type: 'function_call_output', call_id: 'c', output: { result: { says: 'a' } } })).toEqual([
      'result',
      'says',
      'a',
    ]);
    expect(texts({ role: 'user', content: { text: 'a' } })).toEqual(['a']);
    for (const data of [
      `data:text/plain,${encodeURIComponent('the words')}`,
      `data:;base64,${words.toString('base64')}`,
      words.toString('base64'),
      Buffer.from('\uFEFFthe words', 'utf16le').toString('base64'),
      'the words',
    ])
      expect(texts(file(data)), data).toEqual(['the words']);
    const place = 'data:text/plain,the%20words';
    expect(texts({ role: 'user', content: [{ type: 'input_file', file_url: place }] })).toEqual(['the words']);
  });
});

describe('the texts of a responses answer', () => {
  it('are those of all of its items, without ids and images', () => {
    const output = [
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'S' }],
        content: [{ type: 'reasoning_text', text: 'T' }],
        encrypted_content: 'xx',
      },
      {
        type: 'message',
        content: [
          { type: 'output_text', text: 'Hi' },
          { type: 'refusal', refusal: 'No.' },
        ],
      },
      { type: 'custom_tool_call', id: 'c', call_id: 'b', name: 'sql', input: 'select 1' },
      { type: 'image_generation_call', id: 'ig', status: 'completed', result: 'AAAA', revised_prompt: 'A cat.' },
      { type: 'mcp_call', id: 'm', name: 'f', arguments: '{"a":"b"}', output: 'done' },
    ];
    expect(findSpans({ output }, 'output')).toEqual([
      ['/output/0/summary/0/text', 'reasoning', 'S', 0],
      ['/output/0/content/0/text', 'reasoning', 'T', 0],
      ['/output/1/content/0/text', 'text', 'Hi', 0],
      ['/output/1/content/1/refusal', 'refusal', 'No.', 0],
      ['/output/2/input', 'tool-arguments', 'select 1', 0],
      ['/output/3/revised_prompt', 'server-tool', 'A cat.', 0],
      ['/output/4/name', 'server-tool', 'f', 0],
      ['/output/4/arguments', 'server-tool', 'a\nb', 0],
      ['/output/4/output', 'server-tool', 'done', 0],
    ]);
    expect(findSpans({ choices: [] }, 'output')).toBeUndefined();
    const audio = { type: 'output_audio', data: 'AAAA', transcript: 'Hello.' };
    expect(findSpans({ output: [{ type: 'message', content: [audio] }] }, 'output')).toEqual([
      ['/output/0/content/0/transcript', 'text', 'Hello.', 0],
    ]);
  });
});
