import type { UpstreamCall } from '../../servers/upstream-server.ts';
import { awsRefusal } from '../aws-verifier.ts';

/** The credential of an account at Bedrock. */
export const bedrockKeys = { cloudc_access_key_id: 'AKIAEXAMPLE', cloudc_secret_access_key: 'secret' };

const { cloudc_access_key_id: id, cloudc_secret_access_key: secret } = bedrockKeys;

/** Returns why AWS would reject a signature with these keys in `us-east-1`, or undefined if it is right. */
export const signatureError = ({ request }: UpstreamCall, service: string): string | undefined => {
  const signed = /SignedHeaders=([^,]+)/.exec(request.header('authorization') ?? '')?.[1]?.split(';') ?? [];
  const names = request.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const unsigned = names.find((name) => name.startsWith('x-amz-') && !signed.includes(name));
  if (unsigned !== undefined) return `${unsigned} is not signed`;
  return awsRefusal(
    { method: request.method, target: request.path, header: (name) => request.header(name), body: request.body },
    { secrets: { [id]: secret }, service, region: 'us-east-1', now: Date.now() },
  );
};
