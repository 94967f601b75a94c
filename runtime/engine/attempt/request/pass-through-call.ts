import type { JsonObject } from '../../../../schema/json/json.ts';
import { editOpaque, opaqueEdits } from '../../call/edit-opaque.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';
import { passThroughHeaders } from '../../headers/outgoing-headers.ts';
import { askedModels } from '../guards/asked-models.ts';
import { type Place, storagePlace } from './storage-place.ts';

/** The model that a request is sent with; undefined where it names none, or where that is not clear. */
const modelOf = (call: LeafCall, edits: JsonObject | undefined): string | undefined => {
  const asked = askedModels(call, edits);
  return asked.kind === 'named' ? asked.model : undefined;
};

const placeOf = (call: LeafCall): Place => {
  const { exchange, target } = call;
  if (exchange.route.isStorage === true) return storagePlace(call);
  const { provider, settings, origin, basePath } = target;
  const { path } = exchange.request;
  const passed = provider.passThrough?.(path, settings) ?? path;
  return { origin, path: provider.pathBeside?.(passed, basePath) ?? basePath + passed };
};

const nothing = { own: [], forward: new Set<string>() } as const;

/** What a target adds to the headers of a client, and those that it passes on. */
const targetHeaders = ({ exchange, target: { headers, forward } }: LeafCall) =>
  exchange.route.signedOrigin === undefined ? { own: headers, forward: forward.passed } : nothing;

/** A request on a path that is not modelled. */
export const passThroughCall = (call: LeafCall, edits: JsonObject | undefined): OutgoingCall => {
  const { exchange } = call;
  const { request } = exchange;
  const keepsLength = request.body.kind === 'stream';
  return {
    request: {
      method: request.method,
      ...placeOf(call),
      headers: passThroughHeaders({ client: request.headers, ...targetHeaders(call), keepsLength }),
      body: editOpaque(exchange, opaqueEdits(call, edits)),
    },
    translation: undefined,
    streamUsage: false,
    model: call.isMetered ? modelOf(call, edits) : exchange.route.model,
    maxOutput: undefined,
    strip: undefined,
    dropped: undefined,
  };
};
