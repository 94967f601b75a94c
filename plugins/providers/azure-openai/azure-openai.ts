import { defineProvider, type Endpoint, type Provider } from '../../sdk/provider.ts';
import { textSetting } from '../text-setting.ts';
import { azureDeployment, undatedVersion } from './azure-deployment.ts';

const withVersion = (path: string, version: string): string =>
  /[?&]api-version=/.test(path) ? path : `${path}${path.includes('?') ? '&' : '?'}api-version=${version}`;

/** With the undated version the body's model names the deployment; otherwise the path does. */
const operation =
  (path: string): Endpoint =>
  ({ settings, model }) => {
    const { id, version } = azureDeployment(settings, model);
    if (version === undatedVersion) return `/v1${path}`;
    if (id === undefined) throw new Error('deployment_id is missing, and the request names no model.');
    return withVersion(`/deployments/${encodeURIComponent(id)}${path}`, encodeURIComponent(version));
  };

/** https://learn.microsoft.com/azure/ai-foundry/openai/reference */
export const azureOpenai: Provider = defineProvider({
  id: 'azure-openai',
  aliases: ['clouda'],
  documentation: 'https://learn.microsoft.com/azure/ai-foundry/openai/reference',
  baseUrl: (settings) => {
    const resource = textSetting(settings, 'resource_name');
    if (resource === undefined) throw new Error('resource_name is missing.');
    if (!/^[A-Za-z0-9-]+$/.test(resource))
      throw new Error('resource_name must be the first label of the host, such as "my-company".');
    return `https://${resource}.openai.azure.com/openai`;
  },
  credential: 'required',
  settings: ['resource_name', 'deployment_id', 'api_version', 'deployments', 'clouda_model_name'],
  speaks: {
    chat: operation('/chat/completions'),
    completions: operation('/completions'),
    embeddings: operation('/embeddings'),
  },
  headers: ({ api_key: key }) => (key === undefined ? [] : ['api-key', key]),
  passThrough: (path, settings) => {
    const { version } = azureDeployment(settings, undefined);
    return version === undatedVersion ? `/v1${path}` : withVersion(path, encodeURIComponent(version));
  },
});
