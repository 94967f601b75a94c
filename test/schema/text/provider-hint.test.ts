import { describe, expect, it } from 'vitest';
import { nearestProviderHint } from '../../../schema/text/provider-hint.ts';

describe('a hint for the name of an unknown provider', () => {
  it('has the nearest name, or says how to list all', () => {
    expect(nearestProviderHint('opnai', ['groq', 'openai'])).toMatch(
      /^Did you mean "openai"\? Run gw providers kinds /,
    );
    expect(nearestProviderHint('elsewhere', ['openai', 'groq', 'azure'])).toMatch(/^Run gw providers kinds /);
  });

  it.each([
    ['vertex', '"vertex-ai"'],
    ['Vert', '"vertex-ai"'],
    ['azure', '"azure-ai" or "azure-openai"'],
    ['amazon-bedrock', '"bedrock"'],
    // A name of which it is no part is found by its letters.
    ['cortax', '"cortex"'],
  ])('has the names that %s is a part or the beginning of before one that is nearly the same', (written, meant) => {
    const known = ['cortex', 'azure-openai', 'azure-ai', 'vertex-ai', 'bedrock'];
    expect(nearestProviderHint(written, known)).toMatch(new RegExp(`^Did you mean ${meant}\\? Run gw providers`));
  });

  it('has no name of which two letters are the beginning', () => {
    expect(nearestProviderHint('op', ['openai'])).toMatch(/^Run gw providers kinds /);
  });

  it('is found from as many letters as names may have', () => {
    const long = 'a'.repeat(64);
    expect(nearestProviderHint(long + 'b'.repeat(1000), [long])).toContain(`Did you mean "${long}"?`);
  });
});
