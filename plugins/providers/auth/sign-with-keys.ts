import type { UpstreamRequest } from '../../sdk/http/http.ts';
import { wholeBody } from '../../sdk/http/whole-body.ts';
import type { AuthorizeContext } from '../../sdk/provider/provider.ts';
import { awsKeys } from './aws-keys.ts';
import { awsRegion } from './aws-target.ts';
import { signRequest } from './sign-request.ts';

export interface SignedFor {
  /** The name of the service in signatures: `bedrock`. */
  readonly service: string;
  /** The most that the service accepts; a longer body is refused. */
  readonly maxBytes: number;
}

/** The request with its signature by the target's access keys, which covers all of its body. */
export const signWithKeys = async (
  request: UpstreamRequest,
  context: AuthorizeContext,
  { service, maxBytes }: SignedFor,
): Promise<UpstreamRequest> => {
  const keys = await awsKeys(context);
  const whole = { ...request, body: await wholeBody(request.body, maxBytes) };
  return signRequest(whole, keys, { service, region: awsRegion(context.settings), now: context.now() });
};
