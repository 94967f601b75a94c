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

it('finds a model by its name, by an alias, and behind a region or a collection', () => {
  expect(find('bedrock', 'anthropic.claude-x-v1:0')?.context).toBe(1);
  expect(find('bedrock', 'us.anthropic.claude-x-v1:0')?.context).toBe(1);
  expect(find('openai', 'gpt-x')?.context).toBe(2);
  expect(find('openai', 'models/gpt-x-2026')?.context).toBe(2);
});

it('prefers what is stated of a saved provider', () => {
  expect(find('openai', 'gpt-x', 'local')?.context).toBe(3);
  expect(find('openai', 'gpt-x', 'other')?.context).toBe(2);
});

it('finds nothing of another provider, nor by a part of a name', () => {
  expect(find('groq', 'gpt-x')).toBeUndefined();
  expect(find('openai', 'my-gpt-x')).toBeUndefined();
  expect(find('openai', 'constructor')).toBeUndefined();
});

it('lists the names of a provider, after those of a saved one where that is called, and each time the same list', () => {
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
