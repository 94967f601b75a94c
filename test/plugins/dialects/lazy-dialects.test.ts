import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { lazyDialects } from '../../../plugins/dialects/lazy-dialects.ts';

describe('the lazily loaded dialects', () => {
  it('include every built-in dialect, in the same order', () => {
    expect(lazyDialects.map(({ id }) => id)).toEqual(builtinDialects.map(({ id }) => id));
  });

  it.each(lazyDialects.map((dialect) => [dialect.id, dialect] as const))(
    'declare %s as the loaded dialect does',
    async (id, lazy) => {
      const whole = builtinDialects.find((dialect) => dialect.id === id) ?? expect.unreachable();
      const { load, ...declaration } = lazy;
      expect(await load()).toBe(whole);
      expect(whole).toMatchObject(declaration);
      const { operation, routes, siblings, roots, clientCredentials, passesThrough } = whole;
      const { framing, models, furtherModels, encodeError } = whole;
      const declared = {
        id,
        operation,
        routes,
        siblings,
        roots,
        clientCredentials,
        passesThrough,
        framing,
        models,
        furtherModels,
        encodeError,
      };
      expect({ ...Object.fromEntries(Object.keys(declared).map((name) => [name, undefined])), ...declaration }).toEqual(
        declared,
      );
    },
  );
});
