import type { GatewayResponse, Sink, StreamEnd } from '../../plugins/sdk/http/http.ts';

/** Accepts all of a body at once, and keeps nothing. */
export const discardSink: Sink = { write: () => true, onDrain: () => {}, end: () => {}, fail: () => {} };

/** Reads an answer to its end, as its client would. */
export const drain = ({ body }: Pick<GatewayResponse, 'body'>): Promise<StreamEnd> =>
  new Promise((resolve) => {
    if (body.kind === 'bytes') return resolve('complete');
    body.onEnd(resolve);
    body.start(discardSink);
  });
