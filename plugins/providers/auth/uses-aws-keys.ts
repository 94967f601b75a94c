import type { JsonObject } from '../../../schema/json/json.ts';
import type { Credential } from '../../sdk/provider/provider.ts';

/** Whether requests are signed with access keys; otherwise the `api_key` is a bearer token. */
export const usesAwsKeys = (credential: Credential, settings: JsonObject): boolean =>
  settings.cloudc_auth_type !== 'apiKey' &&
  (credential.cloudc_access_key_id !== undefined || credential.cloudc_secret_access_key !== undefined);
