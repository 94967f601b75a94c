import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import type { Config } from '../../../schema/generated/config.ts';

/**
 * The members with which clouds are called besides a credential. Each set alone is a valid config, which uses the credential of
 * the request.
 */
const combinations: readonly (readonly (keyof Config)[])[] = [
  ['cloudb_region', 'cloudb_project_id'],
  ['clouda_deployment_name', 'clouda_deployment_type', 'clouda_region', 'api_version'],
  ['clouda_endpoint_name', 'clouda_deployment_type'],
];

/** Whether a config is valid without a credential because it names the place of its provider in a cloud. */
export const isCloudConfig = (config: Config, { settings = [] }: Provider): boolean =>
  combinations.some((fields) => fields.every((field) => config[field] !== undefined && settings.includes(field)));
