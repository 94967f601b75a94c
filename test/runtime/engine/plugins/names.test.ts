import { describe, expect, it } from 'vitest';
import { openai } from '../../../../plugins/providers/openai-like/openai.ts';
import { createHooks } from '../../../../plugins/sdk/hooks/hooks.ts';
import { createNames } from '../../../../runtime/engine/plugins/names.ts';

describe('the provider for a name', () => {
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
