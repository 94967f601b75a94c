import { describe, expect, it } from 'vitest';
import { responses } from '../../../../plugins/dialects/responses/responses.ts';
import type { JsonObject } from '../../../../schema/json.ts';
import type { CheckPhase } from '../../../../schema/trail.ts';

const spansOf = (body: JsonObject, phase: CheckPhase = 'input'): readonly unknown[] | undefined =>
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
    expect(spansOf({ instructions: 'zero', input })).toEqual([
      ['/input/3/output', 'tool-result', 'three'],
      ['/input/4/output/0/text', 'tool-result', 'four'],
      ['/input/5/output', 'tool-result', 'five'],
      ['/input/7/content/0/text', 'text', 'six'],
    ]);
    expect(spansOf({ input: 'Hi' })).toEqual([['/input', 'text', 'Hi']]);
    expect(spansOf({ messages: [] })).toBeUndefined();
  });

  it('are also the variables of a prompt that the provider keeps, which may be all that there is', () => {
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
    expect(spansOf({ prompt })).toEqual(found);
    expect(spansOf({ prompt, input: 'Hi' })).toEqual([['/input', 'text', 'Hi'], ...found]);
    expect(spansOf({ prompt, input: [said('user', 'one')] })).toEqual([
      ['/input/0/content/0/text', 'text', 'one'],
      ...found,
    ]);
    expect(spansOf({ prompt: { id: 'pmpt_1' } })).toEqual([]);
    expect(spansOf({ prompt: { id: 'pmpt_1', variables: { map: variables.map } } })).toBeUndefined();
  });

  it('are those of the whole turn of the model where nothing follows it', () => {
    const input = [said('user', 'one'), { role: 'assistant', content: 'two' }, call];
    expect(spansOf({ input })).toEqual([
      ['/input/1/content', 'text', 'two'],
      ['/input/2/arguments', 'tool-arguments', 'q\ncafé'],
    ]);
  });
});

describe('the texts of a responses answer', () => {
  it('are those of all of its items, but neither ids nor images', () => {
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
    expect(spansOf({ output }, 'output')).toEqual([
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
    expect(spansOf({ choices: [] }, 'output')).toBeUndefined();
  });
});
