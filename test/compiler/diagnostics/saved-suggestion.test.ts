import { describe, expect, it } from 'vitest';
import { savedSuggestion, slugsOf } from '../../../compiler/diagnostics/saved-suggestion.ts';

describe('a name that is not saved', () => {
  it('is compared with the saved names', () => {
    const names = ['@openai-prod', '@azure-prod'];
    expect(savedSuggestion('@openai-prd', { member: 'providers', names, trust: 'operator' })).toBe(
      'Did you mean "@openai-prod"?',
    );
    expect(savedSuggestion('@x', { member: 'providers', names, trust: 'operator' })).toBe(
      'Saved names: "@openai-prod", "@azure-prod".',
    );
  });

  it('gets a hint about where to save it if nothing is saved', () =>
    expect(savedSuggestion('pii', { member: 'guardrails', names: [], trust: 'operator' })).toContain(
      'Save it under "guardrails" in the gateway file',
    ));

  it('reveals no saved names to a caller', () =>
    expect(savedSuggestion('@openai-prd', { member: 'providers', names: ['@openai-prod'], trust: 'caller' })).toBe(
      'Ask the operator of the gateway which names are saved.',
    ));

  it('gets only a similar name as a hint if the caller may use all of them', () => {
    const named = (name: string): string =>
      savedSuggestion(name, { member: 'providers', names: ['@openai-prod'], trust: 'caller', showsNear: true });
    expect(named('@openai-prd')).toBe('Did you mean "@openai-prod"?');
    expect(named('@x')).toBe('Ask the operator of the gateway which names are saved.');
  });
});

describe('the slugs of saved records', () => {
  it('are their names without the ids under which a store also has them', () =>
    expect(slugsOf({ main: 1, '01a21612-8734-769b-8626-7300cf70a394': 1, other: 2 })).toEqual(['main', 'other']));
});
