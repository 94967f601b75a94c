import { describe, expect, it } from 'vitest';
import { nearestProviderHint } from '../../../schema/text/provider-hint.ts';

describe('a hint for the name of an unknown provider', () => {
  it('has the nearest name, or says how to list all', () => {
    expect(nearestProviderHint('opnai', ['groq', 'openai'])).toMatch(
      /^Did you mean "openai"\? Run gw providers kinds /,
    );
    expect(nearestProviderHint('elsewhere', ['openai', 'groq', 'azure'])).toMatch(/^Run gw providers kinds /);
  });

  it('is found from as many letters as names may have', () => {
    const long = 'a'.repeat(64);
    expect(nearestProviderHint(long + 'b'.repeat(1000), [long])).toContain(`Did you mean "${long}"?`);
  });
});
