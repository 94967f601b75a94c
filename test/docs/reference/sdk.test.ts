import { describe, expect, it } from 'vitest';
import { createHooks } from '../../../plugins/sdk/hooks/hooks.ts';
import * as sdk from '../../../plugins/sdk/sdk.ts';
import { declaredSurface } from '../../support/declared/declared-surface.ts';
import { patience } from '../../support/run/patience.ts';
import { headingsBelow, pages } from './support.ts';

const names = headingsBelow('sdk/').map((heading) => heading.replace(', the function', ''));

describe('the reference of the SDK', () => {
  it('has an entry for everything that the module exports', () => {
    expect(names).toEqual(expect.arrayContaining(Object.keys(sdk)));
  });

  it('has an entry for each type that it declares', patience, async () => {
    const surface = await declaredSurface('plugins/sdk/sdk.ts');
    const declared = [
      ...surface.matchAll(/^export (?:declare )?(?:abstract )?(?:const|class|function|interface|type) (\w+)/gm),
    ].map(([, name = '']) => name);
    expect(declared.length).toBeGreaterThan(200);
    expect(names).toEqual(expect.arrayContaining(declared));
  });

  it('has every hook with its purpose', () => {
    for (const hook of Object.keys(createHooks()))
      expect(pages.get('sdk/README.md')).toMatch(new RegExp(`^\\| \`${hook}\` \\| .* \\| \\S`, 'm'));
  });
});
