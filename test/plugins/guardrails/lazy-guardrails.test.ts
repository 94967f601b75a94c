import { describe, expect, it } from 'vitest';
import { builtinGuardrails } from '../../../plugins/guardrails/builtin-guardrails.ts';
import { lazyGuardrails } from '../../../plugins/guardrails/lazy-guardrails.ts';
import { guardrailNames } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { whenLoaded } from '../../../plugins/sdk/loading/when-loaded.ts';

describe('the lazily loaded checks', () => {
  it('include every built-in check, in the same order and with all of its names', () => {
    expect(
      lazyGuardrails.map(guardrailNames),
      'The lines of lazy-guardrails.ts are those of builtin-guardrails.ts.',
    ).toEqual(builtinGuardrails.map(guardrailNames));
  });

  it.each(
    builtinGuardrails.map((whole) => [whole.id, whole, lazyGuardrails.find(({ id }) => id === whole.id)] as const),
  )('load %s when more than its names is read', async (_id, whole, lazy) => {
    expect(await whenLoaded(() => lazy?.parameters)).toBe(whole.parameters);
    expect(lazy?.create).toBe(whole.create);
  });
});
