import type { UpstreamRequest } from '../../sdk/http/http.ts';
import { wholeBody } from '../../sdk/http/whole-body.ts';
import type { AuthorizeContext } from '../../sdk/provider/provider.ts';
import { awsKeys } from './aws-keys.ts';
import { awsRegion } from './aws-target.ts';
import { signRequest } from './sign-request.ts';

export interface SignedFor {
  /** The name of the service in signatures: `bedrock`. */
  readonly service: string;
  /** The largest body that the service accepts. A larger one is refused. */
  readonly maxBytes: number;
}

/** Returns the request, signed with the target's access keys. The signature covers the whole body. */
export const signWithKeys = async (
  request: UpstreamRequest,
  context: AuthorizeContext,
  { service, maxBytes }: SignedFor,
): Promise<UpstreamRequest> => {
  const keys = await awsKeys(context);
  const whole = { ...request, body: await wholeBody(request.body, maxBytes) };
  return signRequest(whole, keys, { service, region: awsRegion(context.settings), now: context.now() });
};
