import { describe, expect, it } from 'vitest';
import { builtinGuardrails } from '../../../plugins/guardrails/builtin-guardrails.ts';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import { capabilities } from '../../../schema/model-facts/capability.ts';
import { compileCase } from '../../compiler/diagnostics/compile-case.ts';
import { blocksBelow, headings, headingsBelow, pages } from './support.ts';

describe('the reference of providers', () => {
  it('has an entry for each provider with an example that compiles', () => {
    expect(headings('providers.md')).toEqual(builtinProviders.map(({ id }) => id));
    const examples = blocksBelow('providers.md', 'json');
    expect(examples.length).toBeGreaterThan(80);
    for (const { text } of examples) {
      const { diagnostics, plan } = compileCase({}, text, 'prod.json');
      expect(diagnostics.map(({ message }) => message)).toEqual([]);
      expect(plan).toBeDefined();
    }
  });

  it('names every capability of models', () => {
    for (const capability of capabilities) expect(pages.get('models.md')).toContain(`\`${capability}\``);
  });
});

describe('the reference of guardrails', () => {
  it('has an entry for each check with all of its parameters', () => {
    expect([...headingsBelow('guardrails/')]).toEqual(expect.arrayContaining(builtinGuardrails.map(({ id }) => id)));
    for (const { id, parameters } of builtinGuardrails) {
      const page = pages.get(`guardrails/${id.split('.')[0]}.md`) ?? '';
      const entry = page.split(`\n## \`${id}\`\n`)[1]?.split('\n## ')[0] ?? '';
      for (const name of Object.keys(parameters.properties ?? {})) expect(entry, id).toContain(`\n| \`${name}\` | `);
    }
  });
});
