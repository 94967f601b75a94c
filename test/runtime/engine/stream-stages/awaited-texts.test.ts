import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { gemini } from '../../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import { responses } from '../../../../plugins/dialects/responses/responses.ts';
import type { Dialect, Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { modes, run, word } from './judged-modes.ts';
import { neverInWindows, runStream, toBytes, toReadable } from './kit.ts';

const event = (type: string, more: object): Frame => ({ event: type, data: JSON.stringify({ type, ...more }) });

const response = { id: 'r', object: 'response', model: 'm' };
const ofResponse = (frames: readonly Frame[], output: readonly object[] = []): readonly Frame[] => [
  event('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
  ...frames,
  event('response.completed', { response: { ...response, status: 'completed', output } }),
];
const saidText: Frame = event('response.output_text.delta', {
  output_index: 0,
  content_index: 0,
  delta: 'It is water.',
});
const ofArguments = (delta: string, output_index = 1): Frame =>
  event('response.function_call_arguments.delta', { output_index, item_id: `fc_${output_index}`, delta });
const call = (text: string): object => ({
  ...{ type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look_up', status: 'completed' },
  arguments: text,
});
const ofCode = (delta: string): Frame =>
  event('response.code_interpreter_call_code.delta', { output_index: 1, item_id: 'ci_1', delta });
const interpreted = (code: string): Frame =>
  event('response.output_item.done', {
    output_index: 1,
    item: { type: 'code_interpreter_call', id: 'ci_1', status: 'completed', code, container_id: 'c', outputs: [] },
  });

const ofMessage = (frames: readonly Frame[]): readonly Frame[] => [
  event('message_start', { message: { id: 'a', type: 'message', model: 'm', role: 'assistant', content: [] } }),
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'It is water.' } }),
  event('content_block_stop', { index: 0 }),
  ...frames,
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
  event('message_stop', {}),
];
const ofInput = (partial_json: string, index: number): Frame =>
  event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } });

const chunk = (delta: object, finish_reason: string | null = null): Frame => ({
  data: JSON.stringify({ id: 'a', model: 'm', choices: [{ index: 0, delta, finish_reason }] }),
});
const ofCall = (own: object): Frame => chunk({ tool_calls: [{ index: 0, ...own }] });
const chatEnd: readonly Frame[] = [chunk({}, 'tool_calls'), { data: '[DONE]' }];

const ofPart = (part: object, more: object = {}): Frame => ({
  data: JSON.stringify({ candidates: [{ index: 0, content: { role: 'model', parts: [part] }, ...more }] }),
});
const partial = (stringValue: string): object => ({
  functionCall: { partialArgs: [{ jsonPath: '$.place', stringValue, willContinue: true }], willContinue: true },
});

/** Arguments as JSON text: in one piece, in several, and hidden by an escape that is cut. */
const inJson: readonly (readonly string[])[] = [
  [`{"of":"the ${word} it is"}`],
  ['{"of":"the plu', 'toni', 'um it is"}'],
  ['{"of":"the pl\\u00', '75tonium it is"}'],
];
/** Arguments of a call that has not begun can also break off. */
const inTornJson: readonly (readonly string[])[] = [...inJson, ['{"of":"the pl\\u0075to', 'nium']];
const inWords: readonly (readonly string[])[] = [[`the ${word} it is`], ['the plu', 'toni', 'um it is']];

interface Stream {
  readonly dialect: Dialect;
  readonly written: readonly (readonly string[])[];
  readonly framesWith: (pieces: readonly string[]) => readonly Frame[];
}

/** Streams with words that no event reports, or only a later one. */
const streams: Readonly<Record<string, Stream>> = {
  'in responses, arguments of a call that has not begun': {
    dialect: responses,
    written: inTornJson,
    framesWith: (pieces) => ofResponse([saidText, ...pieces.map((piece) => ofArguments(piece))]),
  },
  'in responses, arguments between those of another call': {
    dialect: responses,
    written: inTornJson,
    framesWith: (pieces) =>
      ofResponse([saidText, ...pieces.flatMap((piece) => [ofArguments(piece), ofArguments('water', 2)])]),
  },
  'in responses, arguments of a call that only its end reports': {
    dialect: responses,
    written: inJson,
    framesWith: (pieces) => {
      const whole = call(pieces.join(''));
      const done = event('response.output_item.done', { output_index: 1, item: whole });
      return ofResponse([...pieces.map((piece) => ofArguments(piece)), saidText, done], [whole]);
    },
  },
  'in responses, pieces of code that come before a text and are reported after it': {
    dialect: responses,
    written: inWords,
    framesWith: (pieces) => ofResponse([...pieces.map(ofCode), saidText, interpreted(pieces.join(''))]),
  },
  'in messages, pieces of input for a block that has not begun': {
    dialect: messages,
    written: inTornJson,
    framesWith: (pieces) => ofMessage(pieces.map((piece) => ofInput(piece, 7))),
  },
  'in messages, pieces of input for a block that has stopped': {
    dialect: messages,
    written: inTornJson,
    framesWith: (pieces) => ofMessage(pieces.map((piece) => ofInput(piece, 0))),
  },
  'in chat, arguments before the name of their call': {
    dialect: chat,
    written: inJson,
    framesWith: (pieces) => [
      ...pieces.map((piece) => ofCall({ function: { arguments: piece } })),
      chunk({ content: 'It is water.' }),
      ofCall({ id: 'call_1', type: 'function', function: { name: 'look_up' } }),
      ...chatEnd,
    ],
  },
  'in gemini, arguments in pieces': {
    dialect: gemini,
    written: inWords,
    framesWith: (pieces) => [
      ofPart({ functionCall: { name: 'look_up', willContinue: true } }),
      ...pieces.map((piece) => ofPart(partial(piece))),
      ofPart({ functionCall: {} }),
      ofPart({ text: 'It is water.' }, { finishReason: 'STOP' }),
    ],
  },
};

describe.each(Object.entries(streams))('%s', (_name, { dialect, written, framesWith }) => {
  it.each(modes)('are denied, however they are cut, judged $mode', async ({ guardrail }) => {
    for (const pieces of written) {
      const { frames, bytes } = await run(dialect, framesWith(pieces), guardrail);
      expect(toReadable(frames).filter((text) => text.includes(word))).toEqual([]);
      expect(bytes.toString()).not.toContain('tonium');
    }
  });

  it.each(modes)('are passed on as received if they are permitted, judged $mode', async ({ guardrail }) => {
    const frames = framesWith(['{"of":"some ', 'wa', 'ter"}']);
    const { bytes } = await run(dialect, frames, guardrail);
    expect(bytes.toString()).toBe(toBytes(dialect, frames).toString());
  });
});

it('continues an answer in windows once a call has reported its arguments', async () => {
  let given = '';
  let before = '';
  const frames = ofMessage([
    event('content_block_start', {
      index: 1,
      content_block: { type: 'tool_use', id: 't', name: 'look_up', input: {} },
    }),
    ofInput('{"', 1),
    ofInput('of":"water"}', 1),
    event('content_block_stop', { index: 1 }),
  ]);
  const { promise: pause, resolve } = Promise.withResolvers<void>();
  await runStream({
    client: messages,
    upstream: messages,
    chunks: frames.map((frame) => toBytes(messages, [frame])),
    guardrails: [neverInWindows(word)],
    config: { output_guardrails: [{ 'test.never': {}, deny: true }] },
    pause,
    onBytes: (bytes) => {
      given += bytes.toString();
      // Everything except the end, which waits for the verdict on the whole answer.
      if (!given.includes('"content_block_stop","index":1')) return;
      if (before === '') before = given;
      resolve();
    },
  });
  expect(before).toContain('of\\":\\"water');
  expect(before).not.toContain('message_stop');
});

it('denies words in a cut escape of a call even if only its end reports them', async () => {
  const frames = ofResponse(
    [ofArguments('{"of":"pl\\u00'), saidText, ofArguments('75tonium"}')],
    [call('{"of":"pl\\u0075tonium"}')],
  );
  for (const { guardrail } of modes) {
    const { bytes, trail } = await run(responses, frames, guardrail);
    expect(JSON.stringify(trail)).toContain('"denied"');
    expect(bytes.toString()).not.toContain('75tonium');
  }
});

it('finds the awaited words of one call when they are reported, however many another call awaits', async () => {
  const item = (index: number, code: string): Frame =>
    event('response.output_item.done', {
      output_index: index,
      item: {
        type: 'code_interpreter_call',
        id: `ci_${index}`,
        status: 'completed',
        code,
        container_id: 'c',
        outputs: [],
      },
    });
  const piece = (index: number, delta: string): Frame =>
    event('response.code_interpreter_call_code.delta', { output_index: index, item_id: `ci_${index}`, delta });
  const long = 'water '.repeat(500);
  const frames = ofResponse([piece(1, long), piece(2, 'ice'), item(2, 'ice'), item(1, long), saidText]);
  const given: string[] = [];
  const { promise: pause, resolve } = Promise.withResolvers<void>();
  await runStream({
    client: responses,
    upstream: responses,
    chunks: frames.map((frame) => toBytes(responses, [frame])),
    guardrails: [neverInWindows(word)],
    config: { output_guardrails: [{ 'test.never': {}, deny: true }] },
    pause,
    onBytes: (bytes) => {
      given.push(bytes.toString());
      // Before the end of the answer.
      if (given.join('').includes('"output_index":1,"item":')) resolve();
    },
  });
  expect(given.join('')).toContain('response.completed');
});
