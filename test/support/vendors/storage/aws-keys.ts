import { awsRefusal } from '../../aws-verifier.ts';
import type { UpstreamCall } from '../../upstream-server.ts';

/** What an account at Bedrock has. */
export const bedrockKeys = { cloudc_access_key_id: 'AKIAEXAMPLE', cloudc_secret_access_key: 'secret' };

const { cloudc_access_key_id: id, cloudc_secret_access_key: secret } = bedrockKeys;

/** Why AWS would refuse a signature with these keys, in `us-east-1`; undefined if it is right. */
export const signatureFault = ({ request }: UpstreamCall, service: string): string | undefined =>
  awsRefusal(
    { method: request.method, target: request.path, header: (name) => request.header(name), body: request.body },
    { secrets: { [id]: secret }, service, region: 'us-east-1', now: Date.now() },
  );
