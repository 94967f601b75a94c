import { expect, it } from 'vitest';
import { indexFacts } from '../../../schema/model-facts/find-facts.ts';
import { joinFacts } from '../../../schema/model-facts/join-facts.ts';

const origin = { source: 'row', asOf: '2026-11-24' } as const;

const find = indexFacts(
  joinFacts([
    { provider: 'bedrock', model: 'anthropic.claude-x-v1:0', context: 1, ...origin },
    { provider: 'openai', model: 'gpt-x-2026', aliases: ['gpt-x'], context: 2, ...origin },
    { provider: '@local', model: 'gpt-x', context: 3, ...origin },
  ]),
);

it('a model is found by its name, by an alias, and after the prefix of a region or a collection', () => {
  expect(find('bedrock', 'anthropic.claude-x-v1:0')?.context).toBe(1);
  expect(find('bedrock', 'us.anthropic.claude-x-v1:0')?.context).toBe(1);
  expect(find('openai', 'gpt-x')?.context).toBe(2);
  expect(find('openai', 'models/gpt-x-2026')?.context).toBe(2);
});

it('facts of a saved provider take precedence', () => {
  expect(find('openai', 'gpt-x', 'local')?.context).toBe(3);
  expect(find('openai', 'gpt-x', 'other')?.context).toBe(2);
});

it('a model is not found for another provider, or by a part of its name', () => {
  expect(find('groq', 'gpt-x')).toBeUndefined();
  expect(find('openai', 'my-gpt-x')).toBeUndefined();
  expect(find('openai', 'constructor')).toBeUndefined();
});

it('the names of a provider follow those of a saved one if it is given, and are the same list each time', () => {
  const named = indexFacts(
    joinFacts([
      { provider: 'openai', model: 'gpt-x', ...origin },
      { provider: '@local', model: 'own-x', ...origin },
      // A slug like any other.
      { provider: '@undefined', model: 'other-x', ...origin },
    ]),
  );
  expect(named.names?.('openai')).toEqual(['gpt-x']);
  expect(named.names?.('openai', 'local')).toEqual(['own-x', 'gpt-x']);
  expect(named.names?.('openai', 'nobody')).toEqual(['gpt-x']);
  expect(named.names?.('openai', 'local')).toBe(named.names?.('openai', 'local'));
});
