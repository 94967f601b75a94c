import type { JsonObject } from '../../../../schema/json/json.ts';

/** Where a deployment of Azure is, according to the address in the source. */
interface AzureAddress {
  /** The name of a resource, or the host of a resource that has another name. */
  readonly place: JsonObject;
  readonly deployment: string | undefined;
  readonly version: string | undefined;
}

/** The deployment in a path below `/openai`. The other gateway uses it instead of the one that the model names. */
const deploymentPath = /\/openai\/deployments\/([\w.-]+)(?:\/.*)?$/;

/** Returns the version in an address; undefined if its query has anything else, which may be a secret. */
const versionIn = ({ searchParams }: URL): string | undefined => {
  const [[name, version] = [], second] = [...searchParams];
  return second === undefined && name === 'api-version' ? version : undefined;
};

/** Returns the path that the provider continues with `/deployments/…` or `/v1/…`. The other gateway adds `/openai` itself. */
const openaiPath = (path: string): string => {
  const bare = path.replace(deploymentPath, '').replace(/\/openai(?:\/v1)?\/?$|\/+$/, '');
  return `${bare}/openai`;
};

const readAddress = (base: string): AzureAddress => {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url === undefined) return { place: { custom_host: base }, deployment: undefined, version: undefined };
  const deployment = deploymentPath.exec(url.pathname)?.[1];
  const undated = /\/openai\/v1\/?$/.test(url.pathname) ? 'v1' : undefined;
  const version = versionIn(url) ?? undated;
  const resource = /^([a-z0-9-]+)\.openai\.azure\.com$/.exec(url.host)?.[1];
  if (version !== undefined) url.search = '';
  url.pathname = openaiPath(url.pathname);
  return {
    place: resource === undefined ? { custom_host: url.href } : { resource_name: resource },
    deployment,
    version,
  };
};

/** Returns the host of a resource, from an address that names no deployment. */
export const azureHost = (base: string): JsonObject => readAddress(base).place;

/** The parts of a Foundry resource that the path of an address can name; without one of them it is the whole resource. */
const foundryPath = /^(?:\/(models|anthropic|openai\/v1)(?:\/.*)?|\/*)$/;

/** Returns where a model of a Foundry resource is called; undefined for an address of another kind, which is kept unchanged. */
export const foundryPlace = (base: string, stated: string | undefined): JsonObject | undefined => {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url?.protocol !== 'https:' || !/^[a-z0-9-]+\.services\.ai\.azure\.com$/.test(url.host)) return undefined;
  const version = versionIn(url);
  const path = foundryPath.exec(url.pathname);
  if (path === null || (url.search !== '' && version === undefined)) return undefined;
  const [, part] = path;
  const dated = part === 'models' ? (stated ?? version) : undefined;
  return {
    clouda_foundry_url: part === undefined ? url.origin : `${url.origin}/${part}`,
    ...(dated === undefined ? {} : { api_version: dated }),
  };
};

/** Names of the API without dated versions: https://docs.litellm.ai/docs/providers/azure/azure_responses */
const undatedNames: ReadonlySet<string> = new Set(['latest', 'preview', 'v1']);

const defaultVersion = '2024-10-21';

/** Returns where a model of Azure is called, with its deployment and version. If the model is a star, there is no deployment. */
export const azurePlace = (model: string, base: string | undefined, stated: string | undefined): JsonObject => {
  const address = base === undefined ? undefined : readAddress(base);
  const version = stated ?? address?.version ?? defaultVersion;
  const deployment = address?.deployment ?? (model === '*' ? undefined : model);
  return {
    ...address?.place,
    ...(deployment === undefined ? {} : { deployment_id: deployment }),
    api_version: undatedNames.has(version) ? 'v1' : version,
  };
};
