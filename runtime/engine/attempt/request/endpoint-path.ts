import type { Endpoint, EndpointCall } from '../../../../plugins/sdk/provider/provider.ts';
import { GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { toSentence } from '../../../../schema/text/to-sentence.ts';
import type { PreparedTarget } from '../../target/prepared-target.ts';

/** Returns the path of a call, if the provider's path depends on the call. */
export const endpointPath = (
  endpoint: Exclude<Endpoint, string>,
  { basePath, provider, settings }: PreparedTarget,
  call: Omit<EndpointCall, 'settings' | 'model'> & { readonly model?: string | undefined },
): string => {
  try {
    return basePath + endpoint({ ...call, settings, model: call.model });
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const reason = toSentence(errorText(error));
    throw gatewayError('missing-base-url', { provider: provider.id, reason });
  }
};
