import { describe, expect, it } from 'vitest';
import { responses } from '../../../../../plugins/dialects/responses/responses.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';

const place = (params: JsonObject, body: JsonObject = { input: 'Hi' }): unknown => responses.place?.(params, body);

describe('config parameters in a responses body', () => {
  it.each<[JsonObject, JsonObject]>([
    [
      { model: 'm', temperature: 0.2, stream: true },
      { model: 'm', temperature: 0.2, stream: true },
    ],
    [{ max_tokens: 9 }, { max_output_tokens: 9 }],
    [{ max_tokens: 9, max_completion_tokens: 7 }, { max_output_tokens: 7 }],
    [{ max_tokens: 9, max_output_tokens: 5 }, { max_output_tokens: 5 }],
    [{ reasoning_effort: 'low' }, { reasoning: { effort: 'low' } }],
    [{ verbosity: 'low' }, { text: { verbosity: 'low' } }],
    [{ response_format: { type: 'json_object' } }, { text: { format: { type: 'json_object' } } }],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } } },
      { text: { format: { type: 'json_schema', name: 'a', schema: {} } } },
    ],
    [{ messages: [] }, {}],
    [{ its_own: 1 }, { its_own: 1 }],
  ])('%j become %j', (params, placed) => {
    expect(place(params)).toEqual({ input: 'Hi', ...placed });
  });

  it('replace members of the body, and nothing next to them', () => {
    const body = {
      max_output_tokens: 1,
      reasoning: { effort: 'high', summary: 'auto' },
      text: { verbosity: 'high', format: { type: 'text' } },
    };
    expect(place({ max_tokens: 2, reasoning_effort: 'low', verbosity: 'low' }, body)).toEqual({
      max_output_tokens: 2,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { verbosity: 'low', format: { type: 'text' } },
    });
  });
});
