import { expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { defineGuardrail, pass } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { nothingSaved } from '../../../schema/config/saved.ts';

const asker = defineGuardrail({
  id: 'acme.ask',
  parameters: {
    type: 'object',
    properties: {
      token: { type: 'string', format: 'secret' },
      headers: { type: 'object', additionalProperties: { type: 'string', format: 'secret' } },
      topic: { type: 'string' },
    },
  },
  create: () => () => pass(),
});

const catalogue = buildCatalogue([...builtinPlugins, definePlugin({ name: 'acme', guardrails: [asker] })]);

const toPlaces = (config: object) => {
  const { diagnostics, secretPlaces } = compile(JSON.stringify(config), {
    trust: 'saved',
    catalogue,
    saved: nothingSaved,
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return [...secretPlaces].sort();
};

it('compile lists each place of a text that contains a secret, and no other', () => {
  expect(
    toPlaces({
      strategy: { mode: 'fallback' },
      targets: [
        { provider: 'openai', api_key: 'sk-1', llmv_project: 'proj' },
        {
          strategy: { mode: 'loadbalance' },
          targets: [
            {
              provider: 'bedrock',
              cloudc_access_key_id: 'AKIA',
              cloudc_secret_access_key: 'secret',
              cloudc_region: 'eu-west-1',
            },
            {
              provider: 'vertex-ai',
              cloudb_region: 'eu',
              cloudb_project_id: 'p',
              cloudb_service_account_json: { type: 'service_account', private_key: 'x' },
            },
          ],
        },
      ],
      input_guardrails: [{ 'acme.ask': { token: 't', topic: 'plain', headers: { 'x-a/b': 'h' } } }],
      after_request_hooks: [{ id: 'own', checks: [{ id: 'acme.ask', parameters: { token: 'u' } }] }],
    }),
  ).toEqual([
    '/after_request_hooks/0/checks/0/parameters/token',
    '/input_guardrails/0/acme.ask/headers/x-a~1b',
    '/input_guardrails/0/acme.ask/token',
    '/targets/0/api_key',
    '/targets/1/targets/0/cloudc_access_key_id',
    '/targets/1/targets/0/cloudc_secret_access_key',
    '/targets/1/targets/1/cloudb_service_account_json',
  ]);
});
