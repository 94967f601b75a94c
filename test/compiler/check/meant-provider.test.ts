import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

const catalogue = buildCatalogue(builtinPlugins);

const hintFor = (settings: JsonObject): string | undefined =>
  compile(JSON.stringify({ api_key: `\${env:KEY}`, ...settings }), { trust: 'operator', catalogue }).diagnostics.find(
    ({ code }) => code === 'missing-base-url',
  )?.hint;

const serverless = { clouda_deployment_type: 'serverless', clouda_deployment_name: 'llama-3', clouda_region: 'eastus' };
const managed = { clouda_deployment_type: 'managed', clouda_endpoint_name: 'llama-3.eastus' };

describe('the warning about a provider without an address', () => {
  it.each([serverless, managed])('names the provider that reads the given settings: %o', (settings) => {
    const meant = 'Or write "azure-ai" as the provider, which reads all of these settings.';
    expect(hintFor({ provider: 'clouda', ...settings })).toContain(meant);
    expect(hintFor({ provider: 'azure-openai', ...settings })).toContain(meant);
    expect(hintFor({ provider: 'azure-ai', ...settings })).toBe(undefined);
  });

  it.each([{}, { deployment_id: 'd' }])(
    'names no other provider if the provider reads the given settings: %o',
    (settings) => {
      expect(hintFor({ provider: 'azure-openai', ...settings })).toBe(
        'Add the setting that is missing, or a custom_host.',
      );
    },
  );

  it('names no provider if none reads all of the settings', () => {
    expect(hintFor({ provider: 'azure-openai', ...managed, cloudb_region: 'europe-west4' })).not.toContain('Or write');
  });
});
