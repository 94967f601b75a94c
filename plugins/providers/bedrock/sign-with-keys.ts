import type { UpstreamRequest } from '../../sdk/http/http.ts';
import { wholeBody } from '../../sdk/http/whole-body.ts';
import type { AuthorizeContext } from '../../sdk/provider/provider.ts';
import { signRequest } from '../auth/sign-request.ts';
import { awsRegion } from './aws-address.ts';
import { awsKeys } from './aws-keys.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html */
const maxBytes = 25_000_000;

/** The request with its signature, which covers all of its body. */
export const signWithKeys = async (request: UpstreamRequest, context: AuthorizeContext): Promise<UpstreamRequest> => {
  const keys = await awsKeys(context);
  const whole = { ...request, body: await wholeBody(request.body, maxBytes) };
  const service = request.isStorage === true ? 's3' : 'bedrock';
  return signRequest(whole, keys, { service, region: awsRegion(context.settings), now: context.now() });
};
