import type { AuthorizeContext, WholeAnswer } from '../../sdk/provider/provider.ts';
import { awsOrigin } from './aws-origin.ts';
import { callTokenService, expiryAfter, formRequest, isSendable } from './request-token.ts';
import { signRequest } from './sign-request.ts';
import type { AwsCredentials } from './sign-v4.ts';

/** A role to assume, with the keys of an identity that may assume it. */
export interface AssumedRole {
  readonly credentials: AwsCredentials;
  readonly roleArn: string;
  readonly externalId?: string | undefined;
  /** A valid region name. The request goes to the service of that region. */
  readonly region: string;
}

const toText = ({ body }: WholeAnswer): string => Buffer.from(body).toString('utf8');

/** Returns the text of an element in an XML answer. None of the elements that are read contains characters that XML escapes. */
const element = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>\\s*([^<]+?)\\s*</${name}>`).exec(xml)?.[1];

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
const requestRole = async (
  context: Pick<AuthorizeContext, 'send' | 'now'>,
  { credentials, roleArn, externalId, region }: AssumedRole,
): Promise<{ readonly value: AwsCredentials; readonly expiresAt: number }> => {
  const form = formRequest(`${awsOrigin('sts', region)}/`, {
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: roleArn,
    RoleSessionName: 'gatewright',
    ...(externalId === undefined ? {} : { ExternalId: externalId }),
  });
  const request = signRequest(form, credentials, { service: 'sts', region, now: context.now() });
  const answer = await callTokenService(context, request, (refusal) => element(toText(refusal), 'Code'));
  const xml = toText(answer);
  const [accessKeyId, secretAccessKey, sessionToken, expiration] = [
    'AccessKeyId',
    'SecretAccessKey',
    'SessionToken',
    'Expiration',
  ].map((name) => element(xml, name));
  if (!isSendable(accessKeyId) || !isSendable(secretAccessKey) || !isSendable(sessionToken))
    throw new Error(`The answer of ${new URL(request.origin).host} contains no credentials.`);
  return {
    value: { accessKeyId, secretAccessKey, sessionToken },
    expiresAt: expiryAfter(context.now(), Date.parse(expiration ?? '') - context.now()),
  };
};

/** Returns the temporary credentials of a role, which are kept until they expire. */
export const assumeRole = (
  context: Pick<AuthorizeContext, 'send' | 'now' | 'cached'>,
  role: AssumedRole,
): Promise<AwsCredentials> =>
  context.cached(JSON.stringify(['role', role.region, role.roleArn, role.externalId]), () =>
    requestRole(context, role),
  );
