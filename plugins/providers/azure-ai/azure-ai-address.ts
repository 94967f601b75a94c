import type { JsonObject } from '../../../schema/json/json.ts';
import { hostLabel, textSetting } from '../shared/text-setting.ts';

/** The kind of API that a host serves. A Foundry resource serves everything, the others a single interface. */
export type AzureAiKind = 'resource' | 'models' | 'openai' | 'anthropic' | 'deployment';

const label = (settings: JsonObject, name: string): string => hostLabel(settings, name, 'eastus');

/** Returns the host of a managed endpoint. The endpoint's name may include its region. */
const managedHost = (settings: JsonObject): string => {
  const name = textSetting(settings, 'clouda_endpoint_name');
  if (name === undefined) throw new Error('clouda_endpoint_name is missing.');
  const [, endpoint, region] = /^([A-Za-z0-9-]{1,63})\.([A-Za-z0-9-]{1,63})$/.exec(name) ?? [];
  if (endpoint !== undefined && region !== undefined) return `${endpoint}.${region}`.toLowerCase();
  const place = textSetting(settings, 'clouda_region') === undefined ? undefined : label(settings, 'clouda_region');
  if (place === undefined)
    throw new Error(
      'clouda_endpoint_name must include a region, as in "my-endpoint.eastus", unless clouda_region is set.',
    );
  return `${label(settings, 'clouda_endpoint_name')}.${place}`;
};

/** Returns the Foundry URL of a target. It must be a URL of Azure, because the key is sent to it. */
const foundryUrl = (settings: JsonObject): URL | undefined => {
  const text = textSetting(settings, 'clouda_foundry_url');
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new Error('clouda_foundry_url must be an https URL without a port, credentials or a query.');
  if (!/\.azure\.(?:com|us|cn)$/.test(url.hostname))
    throw new Error('clouda_foundry_url must be a host of Azure; for another host, set custom_host.');
  return url;
};

/** https://learn.microsoft.com/azure/ai-foundry/foundry-models/concepts/endpoints */
export const azureAiBaseUrl = (settings: JsonObject): string => {
  const url = foundryUrl(settings);
  if (url !== undefined) return (url.origin + url.pathname).replace(/\/+$/, '');
  const type = textSetting(settings, 'clouda_deployment_type');
  if (type === 'serverless')
    return `https://${label(settings, 'clouda_deployment_name')}.${label(settings, 'clouda_region')}.models.ai.azure.com`;
  if (type === 'managed') return `https://${managedHost(settings)}.inference.ml.azure.com`;
  throw new Error('clouda_deployment_type is missing: it is "serverless" or "managed".');
};

/** Returns the kind of API by the end of the URL's path. `azureAiBaseUrl` checks that the URL is one of Azure. */
export const azureAiKind = (settings: JsonObject): AzureAiKind => {
  const url = textSetting(settings, 'clouda_foundry_url')?.replace(/\/+$/, '');
  if (url === undefined) return 'deployment';
  if (url.endsWith('/anthropic')) return 'anthropic';
  if (url.endsWith('/models')) return 'models';
  return url.endsWith('/openai/v1') ? 'openai' : 'resource';
};
