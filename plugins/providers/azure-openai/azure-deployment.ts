import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { textSetting } from '../shared/text-setting.ts';

/** The deployment and API version of a call to an Azure resource. */
export interface AzureDeployment {
  /** Absent if nothing names one. */
  readonly id: string | undefined;
  /** A dated version, or `v1` for the API that has none. */
  readonly version: string;
}

/** The API without dated versions: https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle */
export const undatedVersion = 'v1';

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
 * The deployment for a model: the one of `deployments` whose `alias` is the model, else the default one, else the
 * first; without a list `deployment_id`, else a deployment named like the model. The model is the body's, or where it has
 * none the one of `clouda_model_name`. Its own `api_version` goes before the
 * target's, and where neither is given it is `v1`.
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

/** The deployments that settings name, the one of requests that name no model first. */
export const azureDeployments = (settings: JsonObject): readonly string[] => {
  const named = [
    azureDeployment(settings, undefined).id,
    ...deploymentsIn(settings).map((each) => textSetting(each, 'deployment_id')),
  ];
  return [...new Set(named.flatMap((id) => id ?? []))];
};
