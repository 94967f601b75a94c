import { describe, expect, it } from 'vitest';
import { openai } from '../../../../plugins/providers/openai.ts';
import { createHooks } from '../../../../plugins/sdk/hooks/hooks.ts';
import { createNames } from '../../../../runtime/engine/plugins/names.ts';
import { suggestKnown } from '../../../../runtime/engine/plugins/suggest-known.ts';

describe('who answers to a name', () => {
  it('is requested once', () => {
    const hooks = createHooks();
    let asked = 0;
    hooks.provider.for('own').tap('test', () => {
      asked += 1;
      return openai;
    });
    const names = createNames(hooks);
    expect([names.provider('own'), names.provider('own'), names.provider('other')]).toEqual([
      openai,
      openai,
      undefined,
    ]);
    expect(asked).toBe(1);
  });
});

describe('what is said to somebody who names what is not here', () => {
  it('is the nearest name, or all of them in order', () => {
    expect(suggestKnown('opnai', ['groq', 'openai'])).toBe('Did you mean "openai"?');
    expect(suggestKnown('elsewhere', ['openai', 'groq', 'azure'])).toBe('Use one of azure, groq, openai.');
  });

  it('is found from as many letters as names may have', () => {
    const long = 'a'.repeat(64);
    expect(suggestKnown(long + 'b'.repeat(1000), [long])).toBe(`Did you mean "${long}"?`);
  });
});
