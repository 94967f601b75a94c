import type { JsonObject } from '../../../schema/json/json.ts';
import type { Credential } from '../../sdk/provider/provider.ts';
import { textSetting } from '../shared/text-setting.ts';

/** Returns the region of a target. Throws an `Error` if it is not a valid region name, because it becomes part of a host. */
export const awsRegion = (settings: JsonObject): string => {
  const region = textSetting(settings, 'cloudc_region') ?? 'us-east-1';
  if (!/^[a-z]{2}(?:-[a-z]+)+-\d{1,2}$/.test(region))
    throw new Error('cloudc_region must be the name of a region, such as "us-east-1".');
  return region;
};

/** Whether requests are signed with access keys; otherwise the `api_key` is a bearer token. */
export const usesAwsKeys = (credential: Credential, settings: JsonObject): boolean =>
  settings.cloudc_auth_type !== 'apiKey' &&
  (credential.cloudc_access_key_id !== undefined || credential.cloudc_secret_access_key !== undefined);
