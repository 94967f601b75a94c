import type { Json } from '../../../../schema/json/json.ts';
import { type ApiRequest, askGateway } from './ask-gateway.ts';
import type { ControlPlane } from './control-plane.ts';
import { readJson } from './read-json.ts';

/**
 * Sends a request to a control plane and resolves to the JSON that it answers. Rejects with a `RefusalError` where it refuses
 * the request, and with a `CommandFailure` where it cannot be asked.
 */
export const callApi = (
  { access }: ControlPlane,
  request: ApiRequest,
  { silentMs }: { readonly silentMs?: number | undefined } = {},
): Promise<Json> => askGateway(access, { request, silentMs, read: readJson });
