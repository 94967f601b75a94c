import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillModel, hasModelPlace } from '../../../../plugins/sdk/provider/fill-model.ts';

const fill = (model: string | undefined, endpoint = '/models/{model}:say?alt=sse'): string =>
  fillModel(endpoint, { model, provider: 'own' });

describe('a model in a path', () => {
  it('is percent-encoded', () => {
    expect(fill('a b')).toBe('/models/a%20b:say?alt=sse');
    expect(fill('org/model@1', '/x/{model}/y')).toBe('/x/org%2Fmodel%401/y');
    expect(fill('$&{model}', '/x/{model}')).toBe('/x/%24%26%7Bmodel%7D');
  });

  it('stays within one path segment, whatever its name is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (model) => {
        fc.pre(model !== '.' && model !== '..');
        const url = new URL(`https://h.example/base${fill(model)}`);
        expect(url.pathname.split('/')).toHaveLength(4);
        expect(url.pathname.startsWith('/base/models/')).toBe(true);
        expect(url.search).toBe('?alt=sse');
        expect(url.hash).toBe('');
        expect(decodeURIComponent(url.pathname)).toBe(`/base/models/${model}:say`);
      }),
    );
  });

  it.each([
    [undefined, 'the request names none.'],
    ['', 'the request names none.'],
    ['.', 'it cannot be ".".'],
    ['..', 'it cannot be "..".'],
    ['\ud800', 'its name is not valid Unicode.'],
  ])('cannot be %j', (model, reason) => {
    expect(() => fill(model)).toThrow(`The provider own requires the model in its path: ${reason}`);
  });

  it('is filled in only if a path has a placeholder for it', () => {
    expect(hasModelPlace('/models/{model}')).toBe(true);
    expect(hasModelPlace('/models')).toBe(false);
  });
});
