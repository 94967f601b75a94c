import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';

/** Releases an answer that will not be sent. */
export const discard = ({ body }: GatewayResponse): void => {
  if (body.kind === 'stream') body.discard();
};
