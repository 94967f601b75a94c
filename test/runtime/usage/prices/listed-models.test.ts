import { describe, expect, it } from 'vitest';
import { createAnswerReader } from '../../../../runtime/usage/answer-reader.ts';

const price = { input: 1, output: 2 };
const reader = createAnswerReader({ openai: { '*': price, 'our-model': price } });

describe('the names of models in price lists', () => {
  it('are unknown before the lists are loaded, except for those of the operator', () => {
    const early = createAnswerReader({ openai: { 'our-model': price } });
    expect(early.listedModel({ provider: 'openai', listedAs: 'openai', model: 'our-model' })).toBe('our-model');
    expect(early.listedModel({ provider: 'openai', listedAs: 'openai', model: 'gpt-4o' })).toBeUndefined();
  });

  it.each<[provider: string, listedAs: string, model: string, name: string | undefined]>([
    ['openai', 'openai', 'gpt-4o', 'gpt-4o'],
    // It is listed next to the name of its row.
    ['openai', 'openai', 'gpt-4o-mini-2024-07-18', 'gpt-4o-mini-2024-07-18'],
    // A pattern matches any number of names, so the name of its row is used.
    ['anthropic', 'anthropic', 'claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['anthropic', 'anthropic', 'claude-sonnet-4-5-made-up', 'claude-sonnet-4-5'],
    ['azure-openai', 'azure', 'gpt-4o', 'gpt-4o'],
    ['openai', 'openai', 'our-model', 'our-model'],
    ['openai', 'openai', '*', undefined],
    ['openai', 'openai', 'made-up', undefined],
    ['openai', 'openai', 'constructor', undefined],
    ['constructor', 'constructor', 'name', undefined],
    ['nobody', 'nobody', 'gpt-4o', undefined],
  ])('%s, listed as %s, has %s as %s', async (provider, listedAs, model, name) => {
    await reader.ready();
    for (const _again of [1, 2]) expect(reader.listedModel({ provider, listedAs, model })).toBe(name);
  });
});
