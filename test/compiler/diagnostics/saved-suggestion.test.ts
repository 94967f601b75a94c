import { describe, expect, it } from 'vitest';
import { savedSuggestion } from '../../../compiler/diagnostics/saved-suggestion.ts';

describe('a name that is not saved', () => {
  it('is compared with those that are', () => {
    const names = ['@openai-prod', '@azure-prod'];
    expect(savedSuggestion('@openai-prd', { member: 'providers', names, trust: 'operator' })).toBe(
      'Did you mean "@openai-prod"?',
    );
    expect(savedSuggestion('@x', { member: 'providers', names, trust: 'operator' })).toBe(
      'Saved names: "@openai-prod", "@azure-prod".',
    );
  });

  it('is told where to save it, where nothing is', () =>
    expect(savedSuggestion('pii', { member: 'guardrails', names: [], trust: 'operator' })).toContain(
      'Save it under "guardrails" in the gateway file',
    ));

  it('tells a caller of no other', () =>
    expect(savedSuggestion('@openai-prd', { member: 'providers', names: ['@openai-prod'], trust: 'caller' })).toBe(
      'Ask the operator of the gateway which names are saved.',
    ));
});
