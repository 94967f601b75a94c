import { type AwsCredentials, awsTimestamp, presignV4 } from '../auth/sign-v4.ts';

const host = 'sagemaker.amazonaws.com';

/** The token is created for one attempt. A stream that has begun continues after it expires. */
const seconds = 900;

/**
 * Returns a bearer token for the paths that follow OpenAI: a signed request, as a text. Creating it needs no request, so each
 * attempt has its own: https://docs.aws.amazon.com/sagemaker/latest/dg/realtime-endpoints-openai-compatible.html
 */
export const bearerToken = (
  credentials: AwsCredentials,
  { region, now }: { readonly region: string; readonly now: number },
): string => {
  const signed = presignV4({ method: 'POST', host, path: '/?Action=CallWithBearerToken', seconds }, credentials, {
    service: 'sagemaker',
    region,
    timestamp: awsTimestamp(now),
  });
  return `sagemaker-api-key-${Buffer.from(`${host}${signed}&Version=1`).toString('base64')}`;
};
