import { describe, expect, it } from 'vitest';
import { mayImport, relativeImports } from './support/boundaries.ts';

describe('who may import whom', () => {
  it('holds for every import of the sources', () => {
    const imports = relativeImports();
    expect(imports.length).toBeGreaterThan(50);
    expect(imports.filter((each) => !mayImport(each))).toEqual([]);
  });

  it.each([
    ['runtime/gateway.ts', 'compiler/compile.ts'],
    ['compiler/compile.ts', 'runtime/gateway.ts'],
    ['plugins/load.ts', 'runtime/gateway.ts'],
    ['runtime/gateway.ts', 'plugins/builtin.ts'],
    ['schema/plan.ts', 'plugins/sdk/http.ts'],
    ['plugins/sdk/hooks.ts', 'plugins/builtin.ts'],
    ['runtime/gateway.ts', 'test/support/boundaries.ts'],
    ['runtime/gateway.ts', 'gw.ts'],
  ])('refuses %s → %s', (file, target) => {
    expect(mayImport({ file, target })).toBe(false);
  });

  it.each([
    ['gw.ts', 'compiler/compile.ts'],
    ['runtime/gateway.ts', 'plugins/sdk/hooks.ts'],
    ['plugins/sdk/hooks.ts', 'schema/plan.ts'],
  ])('lets %s import %s', (file, target) => {
    expect(mayImport({ file, target })).toBe(true);
  });
});
