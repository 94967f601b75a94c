import type { GatewayResponse } from '../../plugins/sdk/http.ts';

/** Lets go of an answer that nobody will send. */
export const discard = ({ body }: GatewayResponse): void => {
  if (body.kind === 'stream') body.discard();
};
