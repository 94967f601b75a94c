import type { GatewayResponse } from '../../plugins/sdk/http/http.ts';

/** Reads the answer to its end, like a client. */
export const drained = ({ body }: GatewayResponse): Promise<void> =>
  new Promise((resolve) => {
    if (body.kind === 'bytes') return resolve();
    body.onEnd(() => resolve());
    body.start({ write: () => true, onDrain: () => {}, end: () => {}, fail: () => {} });
  });
