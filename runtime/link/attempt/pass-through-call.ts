import type { JsonObject } from '../../../schema/json.ts';
import { passThroughHeaders } from '../headers/outgoing-headers.ts';
import type { LeafCall } from '../leaf-call.ts';
import { editOpaque } from './edit-opaque.ts';
import type { OutgoingCall } from './outgoing-call.ts';

/**
 * A request on a path that is not modelled. Overrides are set at the top level of its body, except in a dialect that has
 * its parameters elsewhere: what this body has where is not known.
 */
export const passThroughCall = (call: LeafCall, edits: JsonObject | undefined): OutgoingCall => {
  const { exchange, target, dialect } = call;
  const { request } = exchange;
  const { provider, settings, origin, basePath, headers, forward } = target;
  const path = provider.passThrough === undefined ? request.path : provider.passThrough(request.path, settings);
  const keepsLength = request.body.kind === 'stream';
  const isKept = edits === undefined || dialect?.place !== undefined;
  return {
    request: {
      method: request.method,
      origin,
      path: basePath + path,
      headers: passThroughHeaders({ client: request.headers, own: headers, forward: forward.passed, keepsLength }),
      body: isKept ? request.body : editOpaque(exchange, edits),
    },
    translation: undefined,
    streamUsage: false,
    model: exchange.route.model,
    mostOutput: undefined,
    strip: undefined,
    dropped: undefined,
  };
};
