import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { textSetting } from '../shared/text-setting.ts';
import { withApiVersion } from '../shared/with-query-member.ts';

/** The deployment and API version of a call to an Azure resource. */
export interface AzureDeployment {
  /** Absent if nothing names a deployment. */
  readonly id: string | undefined;
  /** A dated version, or `v1`, `preview` or `latest` for the API without dates. */
  readonly version: string;
}

/** The API without dated versions: https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle */
const undatedVersion = 'v1';

const undatedNames: ReadonlySet<string> = new Set([undatedVersion, 'preview', 'latest']);

/** Whether a version belongs to the API without dates, whose paths begin with `/v1`. */
export const isUndated = (version: string): boolean => undatedNames.has(version);

/** Returns a path with its version. `v1` is not added to the query, because the path contains it. */
export const versionedPath = (path: string, version: string): string => {
  const placed = isUndated(version) ? `/v1${path}` : path;
  return version === undatedVersion ? placed : withApiVersion(placed, version);
};

const deploymentsIn = (settings: JsonObject): readonly JsonObject[] =>
  Array.isArray(settings.deployments) ? settings.deployments.filter(isJsonObject) : [];

const listed = (settings: JsonObject, model: string | undefined): JsonObject | undefined => {
  const deployments = deploymentsIn(settings);
  return (
    deployments.find(({ alias }) => alias === model) ??
    deployments.find(({ is_default: isDefault }) => isDefault === true) ??
    deployments[0]
  );
};

/**
 * Returns the deployment for a model: the item of `deployments` whose `alias` is the model, or else the default item, or else the
 * first. Without a list it is `deployment_id`, or else a deployment with the model's name. The model is that of the body, or
 * `clouda_model_name` if the body has none. The deployment's own `api_version` overrides the target's; the default is `v1`.
 */
export const azureDeployment = (settings: JsonObject, model: string | undefined): AzureDeployment => {
  const wanted = model ?? textSetting(settings, 'clouda_model_name');
  const chosen = listed(settings, wanted) ?? {};
  return {
    id: textSetting(chosen, 'deployment_id') ?? textSetting(settings, 'deployment_id') ?? wanted,
    version:
      textSetting(chosen, 'api_version') ??
      textSetting(settings, 'api_version') ??
      textSetting(settings, 'clouda_api_version') ??
      undatedVersion,
  };
};

/** Returns the deployments that the settings name. The deployment for requests without a model comes first. */
export const azureDeployments = (settings: JsonObject): readonly string[] => {
  const named = [
    azureDeployment(settings, undefined).id,
    ...deploymentsIn(settings).map((each) => textSetting(each, 'deployment_id')),
  ];
  return [...new Set(named.flatMap((id) => id ?? []))];
};

/** Whether a path is that of sessions of the Realtime API. */
export const isSessionPath = (path: string): boolean => /^\/realtime(?:\?|$)/.test(path);

/**
 * Returns the path of a session. Its query names the deployment: as `model` in the API without dates, and as `deployment` in dated
 * versions (https://learn.microsoft.com/azure/ai-foundry/openai/how-to/realtime-audio-websockets).
 */
export const sessionPath = (path: string, settings: JsonObject): string => {
  const [pathname = '', ...search] = path.split('?');
  const query = new URLSearchParams(search.join('?'));
  const named = query.get('deployment') ?? query.get('model') ?? undefined;
  const { id, version: own } = azureDeployment(settings, named);
  const version = query.get('api-version') ?? own;
  query.delete('model');
  query.delete('deployment');
  if (id !== undefined) query.set(isUndated(version) ? 'model' : 'deployment', id);
  return versionedPath(query.size === 0 ? pathname : `${pathname}?${query}`, version);
};
