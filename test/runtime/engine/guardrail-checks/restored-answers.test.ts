import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Check } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { Restorer } from '../../../../runtime/engine/guardrail-verdicts/restorer.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { asking, chatSaying, checkedConfig, occurrences, readHook } from '../../../support/plans/checked-config.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const placeholder = '[NAME_1]';

/** Takes a value out of requests and restores it for the client. */
const hiding =
  (value: string): Check =>
  (input) => ({
    pass: true,
    data: {},
    replace: occurrences(input, value, placeholder),
    restore: { [placeholder]: value },
  });

const onRequest = { before_request_hooks: [readHook('mutator', ['hide'])] };

describe('a value that a check took out of a request', () => {
  it('is restored in every text of the answer, and escaped in JSON', async () => {
    const value = 'Ann "A" \\ Lee';
    const config = checkedConfig(
      onRequest,
      { hide: hiding(value) },
      {
        upstream: () =>
          stubAnswer(
            chatSaying(`To ${placeholder}.`, {
              reasoning_content: `about ${placeholder}`,
              tool_calls: [
                { id: 'c', type: 'function', function: { name: 'f', arguments: `{"to": "${placeholder}", "n": 1}` } },
              ],
            }),
          ),
      },
    );
    const { json } = await config.ask(asking(`I am ${value}.`));
    expect(config.sent()).toEqual([asking(`I am ${placeholder}.`)]);
    expect(json).toMatchObject({
      choices: [
        {
          message: {
            content: `To ${value}.`,
            reasoning_content: `about ${value}`,
            tool_calls: [{ function: { arguments: JSON.stringify({ to: value, n: 1 }) } }],
          },
        },
      ],
    });
  });

  it('is not visible to the checks of the answer', async () => {
    const texts: string[] = [];
    const config = checkedConfig(
      { ...onRequest, after_request_hooks: [readHook('guardrail', ['look'])] },
      {
        hide: hiding('Ann'),
        look: ({ text }) => {
          texts.push(text);
          return { pass: true, data: {} };
        },
      },
      { upstream: () => stubAnswer(chatSaying(`To ${placeholder}.`)) },
    );
    expect((await config.ask(asking('I am Ann.'))).json).toMatchObject({
      choices: [{ message: { content: 'To Ann.' } }],
    });
    expect(texts).toEqual([`To ${placeholder}.`]);
  });

  it('is never restored for another request or through another target', async () => {
    const config = checkedConfig(
      {
        strategy: { mode: 'fallback' },
        targets: [
          { provider: 'openai', api_key: '${env:KEY}', ...onRequest },
          { provider: 'openai', api_key: '${env:KEY}' },
        ],
      },
      { hide: (input) => (input.text.includes('Ann') ? hiding('Ann')(input) : { pass: true, data: {} }) },
      {
        upstream: ({ body }) =>
          body.kind === 'bytes' && Buffer.from(body.bytes).includes(placeholder)
            ? stubAnswer({ error: { message: placeholder } }, { status: 500 })
            : stubAnswer(chatSaying(placeholder)),
      },
    );
    const said = { choices: [{ message: { content: placeholder } }] };
    expect((await config.ask(asking('I am Ann.'))).json).toMatchObject(said);
    expect((await config.ask(asking('Who am I?'))).json).toMatchObject(said);
  });
});

describe('a restorer', () => {
  it('leaves a placeholder that stands for two values', () => {
    const restorer = new Restorer([
      ['[A]', 'one'],
      ['[A]', 'two'],
      ['[B]', 'three'],
      ['[B]', 'three'],
    ]);
    expect(restorer.text('[A] [B]')).toBe('[A] three');
  });

  it('restores only once: a value that looks like a placeholder stays', () => {
    const restorer = new Restorer([
      ['[A]', '[B]'],
      ['[B]', '[A]'],
      ['[AB]', 'x'],
      ['[', 'y'],
    ]);
    expect(restorer.text('[A][B][AB]')).toBe('[B][A]x');
  });

  it('restores what was taken out, in any JSON and in JSON within JSON', () => {
    const values = fc.uniqueArray(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 5 });
    const piece = fc.oneof(fc.nat({ max: 4 }), fc.string({ unit: fc.constantFrom(...'ab "\\{}\n') }));
    fc.assert(
      fc.property(values, fc.array(piece, { maxLength: 8 }), fc.nat({ max: 3 }), (known, pieces, depth) => {
        const named = known.map((value, index) => [`[P_${index}]`, value] as const);
        const written = (at: 0 | 1): string =>
          pieces.map((each) => (typeof each === 'string' ? each : (named[each % named.length]?.[at] ?? ''))).join('');
        const nested = (text: string): string => {
          let inner = text;
          for (let level = 0; level < depth; level += 1) inner = JSON.stringify({ inner });
          return inner;
        };
        fc.pre(!written(0).trimStart().startsWith('{') || depth === 0);
        const restored = new Restorer(named).json({ said: nested(written(0)) });
        expect(restored).toEqual({ said: nested(written(1)) });
      }),
      lawRuns,
    );
  });
});
