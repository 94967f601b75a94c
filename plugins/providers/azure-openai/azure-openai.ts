import { fillModel } from '../../sdk/provider/fill-model.ts';
import { defineProvider, type Endpoint, type Provider } from '../../sdk/provider/provider.ts';
import {
  authorizeWithEntra,
  azureHeaders,
  entraCredentialFields,
  entraSettings,
  usesMachineIdentity,
} from '../auth/azure-identity.ts';
import { textSetting } from '../shared/text-setting.ts';
import {
  azureDeployment,
  azureDeployments,
  isSessionPath,
  isUndated,
  sessionPath,
  versionedPath,
} from './azure-deployment.ts';

const id = 'azure-openai';

const hostPath = '/openai';

/** In the API without dates the body's model names the deployment. In other versions the path does. */
const operation =
  (path: string): Endpoint =>
  ({ settings, model }) => {
    const { id: deployment, version } = azureDeployment(settings, model);
    if (isUndated(version)) return versionedPath(path, version);
    if (deployment === undefined) throw new Error('deployment_id is missing, and the request names no model.');
    const placed = fillModel(`/deployments/{model}${path}`, { model: deployment, provider: id });
    return versionedPath(placed, version);
  };

/**
 * The body's model names the deployment in every version: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/responses
 */
const responses: Endpoint = ({ settings, model }) =>
  versionedPath('/responses', azureDeployment(settings, model).version);

/** https://learn.microsoft.com/azure/ai-foundry/openai/reference */
export const azureOpenai: Provider = defineProvider({
  id,
  aliases: ['clouda'],
  listedAs: 'azure',
  documentation: 'https://learn.microsoft.com/azure/ai-foundry/openai/reference',
  baseUrl: (settings) => {
    const resource = textSetting(settings, 'resource_name');
    if (resource === undefined) throw new Error('resource_name is missing.');
    if (!/^[A-Za-z0-9-]{1,63}$/.test(resource))
      throw new Error('resource_name must be the first label of the host, such as "my-company".');
    return `https://${resource}.openai.azure.com${hostPath}`;
  },
  hostPath,
  credential: 'required',
  credentialFields: ['api_key', ...entraCredentialFields],
  settings: [
    'resource_name',
    'deployment_id',
    'api_version',
    'clouda_api_version',
    'deployments',
    'clouda_model_name',
    ...entraSettings,
  ],
  usesMachineIdentity,
  speaks: {
    chat: operation('/chat/completions'),
    responses,
    completions: operation('/completions'),
    embeddings: operation('/embeddings'),
    speech: operation('/audio/speech'),
    transcriptions: operation('/audio/transcriptions'),
    translations: operation('/audio/translations'),
    'image-edits': operation('/images/edits'),
    images: operation('/images/generations'),
  },
  // https://learn.microsoft.com/azure/ai-foundry/openai/how-to/embeddings#verify-inputs-dont-exceed-the-maximum-length
  maxTexts: 2048,
  bodyModel: (model, settings) => azureDeployment(settings, model).id ?? model,
  settingsModels: azureDeployments,
  headers: (credential, settings) =>
    azureHeaders(credential, settings, credential.api_key === undefined ? [] : ['api-key', credential.api_key]),
  // The gateway in front of it returns {"statusCode", "message"}.
  errorsVary: true,
  // https://learn.microsoft.com/azure/ai-foundry/openai/how-to/realtime-audio-websockets
  hasRealtime: true,
  authorize: authorizeWithEntra,
  passThrough: (path, settings) => {
    if (isSessionPath(path)) return sessionPath(path, settings);
    // If a client specifies a version, its request goes to the API of that version.
    const [, written] = /[?&]api-version=([^&]*)/.exec(path) ?? [];
    if (written !== undefined && /^\d{4}-/.test(written)) return path;
    const own = azureDeployment(settings, undefined).version;
    return versionedPath(path, written !== undefined && isUndated(written) ? written : own);
  },
});
