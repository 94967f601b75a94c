import { fillModel } from '../../sdk/provider/fill-model.ts';
import { defineProvider, type Endpoint, type Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';
import { pathSetting } from '../shared/path-setting.ts';

const id = 'predibase';

/** Splits a model into its deployment and its adapter. The adapter, if any, follows a colon: `qwen3-8b:my-adapter/1`. */
const parts = (model: string): { readonly deployment: string; readonly adapter: string } => {
  const [deployment = '', adapter = ''] = model.split(/:(.*)/s);
  return { deployment, adapter };
};

const chat: Endpoint = ({ model }) =>
  fillModel('/deployments/v2/llms/{model}/v1/chat/completions', {
    model: model === undefined ? undefined : parts(model).deployment,
    provider: id,
  });

/** https://docs.predibase.com/user-guide/inference/migrate-openai */
export const predibase: Provider = defineProvider({
  ...openaiCompatible({
    id,
    documentation: 'https://docs.predibase.com/user-guide/inference/migrate-openai',
    baseUrl: (settings) => `https://serving.app.predibase.com/${pathSetting(settings, 'predibase_tenant_id')}`,
    operations: ['chat'],
    errorsVary: true,
    unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
  }),
  ownSettings: {
    type: 'object',
    additionalProperties: false,
    properties: { predibase_tenant_id: { type: 'string', description: 'The id of the Predibase tenant.' } },
  },
  speaks: { chat },
  // The deployment is in the path. The base model itself has an empty name.
  bodyModel: (model) => parts(model).adapter,
});
