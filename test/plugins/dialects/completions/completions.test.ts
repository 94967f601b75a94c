import { describe, expect, it } from 'vitest';
import { completions } from '../../../../plugins/dialects/completions/completions.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import type { CheckPhase } from '../../../../schema/trail/trail.ts';
import { completionStream } from '../../../support/vendors/openai-completions-wire.ts';
import { toFrames } from '../support/frames.ts';

const findTexts = (body: JsonObject, phase: CheckPhase): readonly (readonly [string, string])[] | undefined =>
  completions.texts?.(body, phase)?.map(({ at, text }) => [at, text]);

describe('the class of a completions frame', () => {
  it('is correct for each frame of a stream up to [DONE]', () => {
    const frames = toFrames(completionStream('A bridge.', { withUsage: true }).join(''));
    expect(frames.map((frame) => completions.classify(frame))).toEqual([
      'preamble',
      'content',
      'content',
      'content',
      'usage',
      'end',
    ]);
  });

  it.each([
    ['an error', '{"error":{"message":"Overloaded"}}', 'error'],
    ['a null error', '{"error":null,"choices":[{"index":0,"text":""}]}', 'preamble'],
    ['a text that looks like an error', '{"choices":[{"text":"\\"error\\": {}"}]}', 'content'],
    ['a choice that ends while others may continue', '{"choices":[{"text":"","finish_reason":"stop"}]}', 'content'],
    ['text that is not JSON', 'upstream said no', 'content'],
  ])('is correct for %s', (_what, data, kind) => {
    expect(completions.classify({ data })).toBe(kind);
  });

  it('is "error" for an event named "error"', () => {
    expect(completions.classify({ event: 'error', data: '{}' })).toBe('error');
  });
});

describe('the texts of a completions body', () => {
  it.each<[Json, readonly (readonly [string, string])[] | undefined]>([
    ['Once upon', [['/prompt', 'Once upon']]],
    [
      ['Once', 'upon'],
      [
        ['/prompt/0', 'Once'],
        ['/prompt/1', 'upon'],
      ],
    ],
    [[1, 2], undefined],
    [[[1, 2]], undefined],
    [null, []],
  ])('with the prompt %j are %j', (prompt, texts) => {
    expect(findTexts({ prompt }, 'input')).toEqual(texts);
  });

  it('include the suffix that follows the text to be written', () => {
    expect(findTexts({ prompt: 'Once', suffix: 'The end.' }, 'input')).toEqual([
      ['/prompt', 'Once'],
      ['/suffix', 'The end.'],
    ]);
  });

  it('in an answer are those of every choice', () => {
    const choices = [{ index: 1, text: 'a time' }, { text: 'a hill' }];
    expect(completions.texts?.({ choices }, 'output')).toEqual([
      { at: '/choices/0/text', kind: 'text', text: 'a time', choice: 1 },
      { at: '/choices/1/text', kind: 'text', text: 'a hill', choice: 1 },
    ]);
    expect(findTexts({ error: 'no' }, 'output')).toBeUndefined();
  });
});

it('the usage of a completion is counted as in chat', () => {
  expect(completions.usage?.({ usage: { prompt_tokens: 5, completion_tokens: 7 } })).toMatchObject({
    input: 5,
    output: 7,
  });
});
