import type { Endpoint } from '../../../plugins/sdk/provider.ts';
import { errorText } from '../../../schema/error-text.ts';
import { gatewayError } from '../../../schema/errors.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { PreparedTarget } from '../target/prepared-target.ts';

/** The path of a call where the provider's path depends on the call's parameters. */
export const endpointPath = (
  endpoint: Exclude<Endpoint, string>,
  { basePath, provider, settings }: PreparedTarget,
  { model, stream }: JsonObject,
): string => {
  try {
    return (
      basePath + endpoint({ settings, model: typeof model === 'string' ? model : undefined, stream: stream === true })
    );
  } catch (error) {
    const reason = errorText(error);
    throw gatewayError('missing-base-url', { provider: provider.id, reason });
  }
};
