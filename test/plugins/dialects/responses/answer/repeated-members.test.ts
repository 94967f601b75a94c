import { expect, it } from 'vitest';
import type { AnswerEvent } from '../../../../../schema/conversation/answer.ts';
import { defaultResponseMembers } from '../../../../../schema/conversation/response-members.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { answerOptions, responsesCodec } from '../../support/codecs.ts';

const request: JsonObject = {
  model: 'm',
  input: 'Hello.',
  instructions: 'Be brief.',
  max_output_tokens: 100,
  metadata: { team: 'a' },
  parallel_tool_calls: false,
  reasoning: { effort: 'low' },
  temperature: 0.2,
  text: { verbosity: 'low' },
  tool_choice: 'required',
  tools: [{ type: 'function', name: 'f', parameters: { type: 'object' } }],
  top_p: null,
  store: true,
  stream: true,
};

const repeated: JsonObject = {
  instructions: 'Be brief.',
  max_output_tokens: 100,
  metadata: { team: 'a' },
  parallel_tool_calls: false,
  reasoning: { effort: 'low', summary: null },
  temperature: 0.2,
  text: { format: { type: 'text' }, verbosity: 'low' },
  tool_choice: 'required',
  tools: [{ type: 'function', name: 'f', parameters: { type: 'object' } }],
  top_p: null,
  store: false,
};

const options = { ...answerOptions, request: () => request };
const answer = { id: 'a', model: 'm', choices: [{ index: 0, parts: [], finish: { reason: 'stop' } as const }] };

it('repeats the settings of its request in a whole response', () => {
  const response = responsesCodec.encodeAnswer({ ...answer, extensions: {} }, options);
  expect(response).toMatchObject({ ...repeated, output: [], status: 'completed' });
  expect(responsesCodec.encodeAnswer({ ...answer, extensions: {} }, answerOptions)).toMatchObject(
    defaultResponseMembers,
  );
});

it('lets what the provider reports take precedence', () => {
  const extensions = { responses: { temperature: 1 } };
  expect(responsesCodec.encodeAnswer({ ...answer, extensions }, options)).toMatchObject({
    ...repeated,
    temperature: 1,
  });
});

it('repeats the settings of its request in each event with a response', () => {
  const encoder = responsesCodec.streamEncoder(options);
  const events: readonly AnswerEvent[] = [
    { kind: 'start', id: 'a', model: 'm' },
    { kind: 'text', choice: 0, block: 0, text: 'Hi "}}' },
    { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
    { kind: 'end' },
  ];
  const written = events
    .flatMap((event) => encoder.push(event))
    .map(({ data }) => JSON.parse(data) as { readonly type: string; readonly response?: JsonObject })
    .filter(({ response }) => response !== undefined);
  expect(written.map(({ type }) => type)).toEqual(['response.created', 'response.in_progress', 'response.completed']);
  for (const { response } of written) expect(response).toMatchObject({ ...repeated, id: 'a' });
});
