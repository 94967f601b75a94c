import { describe, expect, it } from 'vitest';
import { nearestProviderHint } from '../../../schema/text/provider-hint.ts';

describe('a hint for the name of an unknown provider', () => {
  it('has the nearest name, or says how to list all names', () => {
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
    // If none of them contains it, the nearest name is found by its letters.
    ['cortax', '"cortex"'],
  ])('prefers names that contain %s, or begin or end with a part of it, to a similar one', (written, meant) => {
    const known = ['cortex', 'azure-openai', 'azure-ai', 'vertex-ai', 'bedrock'];
    expect(nearestProviderHint(written, known)).toMatch(new RegExp(`^Did you mean ${meant}\\? Run gw providers`));
  });

  it('has no name if the text is only its first two letters', () => {
    expect(nearestProviderHint('op', ['openai'])).toMatch(/^Run gw providers kinds /);
  });

  it('considers only as many letters as names may have', () => {
    const long = 'a'.repeat(64);
    expect(nearestProviderHint(long + 'b'.repeat(1000), [long])).toContain(`Did you mean "${long}"?`);
  });
});
