import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { imported, parsed } from './support.ts';

const target = { provider: 'openai', api_key: 'sk-literal' };
const words = (...texts: string[]): object => ({
  id: 'default.contains',
  parameters: { words: texts, operator: 'none' },
});
const hook = (checks: unknown, more: object = {}): object => ({ type: 'guardrail', id: 'a', checks, ...more });

/** An invalid hook or guardrail, what remains of its list, and the only note about it. */
const lost: readonly (readonly [what: string, members: object, left: unknown, place: string, why: string])[] = [
  [
    'a check whose only parameter is invalid',
    { before_request_hooks: [hook([words('a'), { id: 'default.wordCount', parameters: { minWords: 'many' } }])] },
    [{ id: 'a', type: 'guardrail', checks: [words('a')] }],
    '/before_request_hooks/0/checks/1/parameters/minWords',
    '"minWords" must be a whole number',
  ],
  [
    'the only check of a hook, with an invalid parameter',
    { before_request_hooks: [hook([{ id: 'default.wordCount', parameters: { minWords: 'many' } }])] },
    undefined,
    '/before_request_hooks/0/checks/0/parameters/minWords',
    '"minWords" must be a whole number',
  ],
  [
    'a check of an output hook',
    { after_request_hooks: [hook([{ id: 'default.wordCount', parameters: { minWords: 'many' } }, words('a')])] },
    [{ id: 'a', type: 'guardrail', checks: [words('a')] }],
    '/after_request_hooks/0/checks/0/parameters/minWords',
    '"minWords" must be a whole number',
  ],
  [
    'a check with invalid credentials',
    {
      before_request_hooks: [
        hook([{ id: 'acuvity.scan', parameters: { timeout: 5000 } }], {
          credentials: { api_key: 'acuvity-literal', domain: 'no domain' },
        }),
      ],
    },
    undefined,
    '/before_request_hooks/0/credentials/domain',
    '"domain" must be a string that matches',
  ],
  [
    'a check that lacks a parameter',
    { before_request_hooks: [hook([{ id: 'default.contains', parameters: { operator: 'none' } }])] },
    undefined,
    '/before_request_hooks/0/checks/0/parameters',
    '"parameters" requires "words"',
  ],
  [
    'a hook that is not an object',
    { before_request_hooks: ['a', hook([words('a')])] },
    [{ id: 'a', type: 'guardrail', checks: [words('a')] }],
    '/before_request_hooks/0',
    'Item 1 of "before_request_hooks" must be an object',
  ],
  [
    'a hook whose checks are not a list',
    { before_request_hooks: [hook(words('a'))] },
    undefined,
    '/before_request_hooks/0/checks',
    '"checks" must be a list',
  ],
  [
    'a hook that names a saved guardrail without an id',
    { before_request_hooks: [{ type: 'guardrail' }] },
    undefined,
    '/before_request_hooks/0',
    'requires "id"',
  ],
  [
    'hooks that are not a list',
    { before_request_hooks: hook([words('a')]) },
    undefined,
    '/before_request_hooks',
    '"before_request_hooks" must be a list',
  ],
  [
    'a check that a guardrail names without a dot',
    { input_guardrails: [{ wordCount: { minWords: 'many' }, contains: { words: ['a'], operator: 'none' } }] },
    [{ contains: { words: ['a'], operator: 'none' } }],
    '/input_guardrails/0/wordCount/minWords',
    '"minWords" must be a whole number',
  ],
  [
    'a guardrail whose only check has an invalid parameter',
    { output_guardrails: [{ deny: true, 'default.wordCount': { minWords: 'many' } }] },
    undefined,
    '/output_guardrails/0/default.wordCount/minWords',
    '"minWords" must be a whole number',
  ],
  [
    'a check of a guardrail that is not an object',
    { output_guardrails: [{ deny: true, 'default.wordCount': 5 }] },
    undefined,
    '/output_guardrails/0/default.wordCount',
    '"default.wordCount" must be an object',
  ],
  [
    'a guardrail that is neither a string nor an object',
    { input_guardrails: [5] },
    undefined,
    '/input_guardrails/0',
    'must be a string or an object',
  ],
];

describe('gw import for checks that cannot be carried over', () => {
  it.each(lost)('reports once that nothing is checked any more by %s', async (_what, members, left, place, why) => {
    const made = await imported('portkey', { ...target, ...members });
    const [name = ''] = Object.keys(members);
    const config = parsed(made, 'configs/source.json');
    expect(config).toMatchObject({ provider: 'openai' });
    expect(Object.entries(config).find(([member]) => member === name)?.[1]).toEqual(left);
    expect(made.losses).toEqual([
      {
        ...{ file: 'source.json', line: expect.any(Number), place, unchecked: true },
        why: expect.stringContaining(why),
        instead: expect.stringMatching(/^It checks nothing now: correct it in this file, and import the file again/),
      },
    ]);
  });

  it('reports two invalid parameters of a check once, without blaming the checks before it', async () => {
    const wrong = { id: 'default.wordCount', parameters: { minWords: 'many', maxWords: 'more', unheard: 1 } };
    const made = await imported('portkey', { ...target, before_request_hooks: [hook([words('a'), wrong])] });
    expect(made.losses).toEqual([expect.objectContaining({ unchecked: true })]);
  });

  it('keeps a check that works without an invalid parameter, however little remains', async () => {
    const made = await imported('portkey', {
      ...target,
      before_request_hooks: [
        hook([{ id: 'default.wordCount', parameters: { minWords: 'many', maxWords: 9 } }]),
        hook([{ id: 'default.promptInjection', parameters: { unheard: 1 } }], { id: 'b' }),
      ],
      input_guardrails: [{ 'default.promptInjection': { unheard: 1 } }],
    });
    expect(parsed(made, 'configs/source.json')).toMatchObject({
      before_request_hooks: [
        { checks: [{ id: 'default.wordCount', parameters: { maxWords: 9 } }] },
        { checks: [{ id: 'default.promptInjection', parameters: {} }] },
      ],
      input_guardrails: [{ 'default.promptInjection': {} }],
    });
    expect(made.losses.map(({ place, unchecked }) => [place, unchecked])).toEqual([
      ['/before_request_hooks/0/checks/0/parameters/minWords', undefined],
      ['/before_request_hooks/1/checks/0/parameters/unheard', undefined],
      ['/input_guardrails/0/default.promptInjection/unheard', undefined],
    ]);
  });

  it('reads check names without a dot, and their parameters, as they are', async () => {
    const checks = { wordCount: { minWords: 1, maxWords: 9 }, contains: { words: ['a'], operator: 'none' } };
    const made = await imported('portkey', { ...target, inputGuardrails: [{ ...checks, onFail: {}, deny: true }] });
    expect(made.losses).toEqual([]);
    expect(parsed(made, 'configs/source.json')).toMatchObject({
      input_guardrails: [{ ...checks, on_fail: {}, deny: true }],
    });
  });

  it('counts them among the things that are no longer checked', async () => {
    const wrong = { id: 'default.wordCount', parameters: { minWords: 'many' } };
    const folder = temporaryFolder({
      'a.json': { ...target, custom_members: 1, before_request_hooks: [hook([words('a'), wrong]), 5] },
    });
    const { out } = await runGw(folder, ['import', 'portkey', 'a.json']);
    expect(out).toContain('3 notes above on what does not carry over. The first 2 say what is not checked now.');
  });

  it('gives a hook without an id a unique id', async () => {
    const { id: _id, ...unnamed } = { ...hook([words('a')]), id: 0 };
    const made = await imported('portkey', {
      strategy: { mode: 'fallback' },
      beforeRequestHooks: [unnamed, { ...unnamed, id: 5 }],
      after_request_hooks: [unnamed],
      targets: [
        { ...target, before_request_hooks: [{ checks: [words('b')] }] },
        { ...target, before_request_hooks: [hook([words('c')], { id: 'hook-2' })] },
      ],
    });
    expect(made.losses).toEqual([]);
    expect(parsed(made, 'configs/source.json')).toMatchObject({
      before_request_hooks: [{ id: 'hook-1' }, { id: 'hook-3' }],
      after_request_hooks: [{ id: 'hook-4' }],
      targets: [{ before_request_hooks: [{ id: 'hook-5' }] }, { before_request_hooks: [{ id: 'hook-2' }] }],
    });
  });

  it('imports an output hook with several checks of the same kind as a guardrail that denies', async () => {
    const made = await imported('portkey', {
      ...target,
      after_request_hooks: [hook([words('a'), words('b'), words('c')], { deny: true })],
    });
    expect(made.losses).toEqual([]);
    expect(parsed(made, 'configs/source.json')).toMatchObject({
      output_guardrails: [
        {
          deny: true,
          'default.contains': { words: ['a'] },
          'default.contains-2': { id: 'default.contains', words: ['b'] },
          'default.contains-3': { id: 'default.contains', words: ['c'] },
        },
      ],
    });
  });

  it('reports what an output hook loses if it cannot become a guardrail', async () => {
    const made = await imported('portkey', {
      ...target,
      after_request_hooks: [hook([words('a'), { parameters: {} }], { deny: true })],
    });
    expect(made.losses.map(({ place }) => place)).toEqual([
      '/after_request_hooks/0/checks/1',
      '/after_request_hooks/0/deny',
    ]);
  });
});

describe('the notes of gw import', () => {
  it('are printed once per file with their lines, and counted as they are printed', async () => {
    const text = JSON.stringify({
      strategy: { mode: 'fallback' },
      targets: [
        { ...target, prompt_id: 'a' },
        { ...target, prompt_id: 'a' },
      ],
    });
    const folder = temporaryFolder({ 'a.json': text, 'b.json': JSON.stringify(JSON.parse(text), undefined, 2) });
    const { out } = await runGw(folder, ['import', 'portkey', 'a.json']);
    expect(out.match(/of this target is in the store/g)).toHaveLength(1);
    expect(out).toContain('1 config, 1 note above on what does not carry over.');
    const { losses } = JSON.parse((await runGw(folder, ['import', 'portkey', 'a.json', '--format', 'json'])).out);
    expect(losses).toHaveLength(2);
    expect((await runGw(folder, ['import', 'portkey', 'b.json'])).out).toContain('1 config, 1 note');
  });
});
