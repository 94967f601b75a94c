import type { Endpoint } from '../../../../plugins/sdk/provider/provider.ts';
import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import { GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { PreparedTarget } from '../../target/prepared-target.ts';

/** The path of a call where the provider's path depends on the call. */
export const endpointPath = (
  endpoint: Exclude<Endpoint, string>,
  { basePath, provider, settings }: PreparedTarget,
  { model, stream }: Pick<Conversation, 'model' | 'stream'>,
): string => {
  try {
    return basePath + endpoint({ settings, model, stream });
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const reason = errorText(error);
    throw gatewayError('missing-base-url', { provider: provider.id, reason });
  }
};
