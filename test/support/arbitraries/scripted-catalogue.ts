import { defineGuardrail, pass } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { buildCatalogue, type Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { scriptedCheck, scriptedProvider } from './scripted.ts';

const provider: Provider = {
  id: scriptedProvider,
  documentation: 'https://example.test/',
  baseUrl: 'http://scripted.test/v1',
  credential: 'optional',
  speaks: { chat: '/chat/completions' },
  headers: () => [],
};

const check = defineGuardrail({
  id: scriptedCheck,
  parameters: { type: 'object', properties: { hook: { type: 'string' } } },
  create: () => () => pass(),
});

/** Everything that generated configs refer to. */
export const scriptedCatalogue: Catalogue = buildCatalogue([
  { name: 'scripted', api: 1, providers: [provider], guardrails: [check] },
]);
