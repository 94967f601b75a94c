import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { lazyDialects } from '../../../plugins/dialects/lazy-dialects.ts';

describe('the dialects of a gateway that runs', () => {
  it('are all that there are, in their order', () => {
    expect(lazyDialects.map(({ id }) => id)).toEqual(builtinDialects.map(({ id }) => id));
  });

  it.each(lazyDialects.map((dialect) => [dialect.id, dialect] as const))('%s declares what it is', async (id, lazy) => {
    const whole = builtinDialects.find((dialect) => dialect.id === id) ?? expect.unreachable();
    const { load, ...declaration } = lazy;
    expect(await load()).toBe(whole);
    expect(whole).toMatchObject(declaration);
    const { operation, routes, siblings, roots, passesThrough, clientCredentials, framing, models } = whole;
    const { furtherModels, encodeError } = whole;
    const declared = {
      id,
      operation,
      routes,
      siblings,
      roots,
      passesThrough,
      clientCredentials,
      framing,
      models,
      furtherModels,
      encodeError,
    };
    expect({ ...Object.fromEntries(Object.keys(declared).map((name) => [name, undefined])), ...declaration }).toEqual(
      declared,
    );
  });
});
