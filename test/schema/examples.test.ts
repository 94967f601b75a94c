import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile } from '../../compiler/compile.ts';
import { renderDiagnostic } from '../../compiler/diagnostic-text/render.ts';
import { builtinPlugins } from '../../plugins/builtin.ts';
import { buildCatalogue } from '../../plugins/sdk/plugin/catalogue.ts';

const folder = new URL('../../schema/examples/', import.meta.url);
const catalogue = buildCatalogue(builtinPlugins);

describe('every example', () => {
  it.each(readdirSync(folder).filter((file) => /\.jsonc?$/.test(file)))('%s compiles without diagnostics', (file) => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    const { plan, diagnostics } = compile(text, { trust: 'operator', catalogue, file });
    expect(diagnostics.map((found) => renderDiagnostic(found, { text })).join('\n')).toBe('');
    expect(plan?.name).toBe(file.replace(/\.jsonc?$/, ''));
  });
});
