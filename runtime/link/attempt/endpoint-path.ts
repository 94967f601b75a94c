import type { Endpoint } from '../../../plugins/sdk/provider.ts';
import { gatewayError } from '../../../schema/errors.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { PreparedTarget } from '../target/prepared-target.ts';

/** The path of a call; `params` is only looked at where the provider's path depends on it. */
export const endpointPath = (
  endpoint: Endpoint,
  { basePath, provider, settings }: PreparedTarget,
  params: () => JsonObject,
): string => {
  if (typeof endpoint === 'string') return basePath + endpoint;
  const { model, stream } = params();
  try {
    return (
      basePath + endpoint({ settings, model: typeof model === 'string' ? model : undefined, stream: stream === true })
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw gatewayError('missing-base-url', { provider: provider.id, reason });
  }
};
