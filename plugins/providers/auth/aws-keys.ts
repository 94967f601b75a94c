import type { AuthorizeContext, Credential } from '../../sdk/provider/provider.ts';
import { textSetting } from '../shared/text-setting.ts';
import { assumeRole } from './assume-role.ts';
import { awsRegion } from './aws-target.ts';
import type { AwsCredentials } from './sign-v4.ts';

const givenKeys = (credential: Credential): AwsCredentials => {
  const {
    cloudc_access_key_id: accessKeyId,
    cloudc_secret_access_key: secretAccessKey,
    cloudc_session_token: sessionToken,
  } = credential;
  if (accessKeyId === undefined) throw new Error('cloudc_access_key_id is missing.');
  if (secretAccessKey === undefined) throw new Error('cloudc_secret_access_key is missing.');
  return { accessKeyId, secretAccessKey, sessionToken };
};

/** Returns the keys to sign with: the target's own, or those of the role that it assumes with them. */
export const awsKeys = async (context: AuthorizeContext): Promise<AwsCredentials> => {
  const { credential, settings } = context;
  const credentials = givenKeys(credential);
  const roleArn = textSetting(settings, 'cloudc_role_arn');
  if (roleArn === undefined) {
    if (settings.cloudc_auth_type === 'assumedRole') throw new Error('cloudc_role_arn is missing.');
    return credentials;
  }
  return await assumeRole(context, {
    credentials,
    roleArn,
    externalId: textSetting(settings, 'cloudc_external_id'),
    region: awsRegion(settings),
  });
};
