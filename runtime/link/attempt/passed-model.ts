import { toBuffer } from '../../../plugins/sdk/to-buffer.ts';
import { GatewayError } from '../../../schema/errors.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { LeafCall } from '../leaf-call.ts';
import { askedModel } from './asked-for.ts';
import { opaqueEdits } from './edit-opaque.ts';

/** The model that a passed-through request is sent with; `unreadable` for a body that may name one elsewhere, such as a form. */
export const passedModel = (
  call: Pick<LeafCall, 'exchange' | 'dialect'>,
  edits: JsonObject | undefined,
): { readonly model: string | undefined } | 'unreadable' => {
  const { formModel, request, route } = call.exchange;
  const { body } = request;
  // Paths and forms are sent as they are, whatever the target overrides.
  const sentAsItIs = route.model ?? formModel;
  if (sentAsItIs !== undefined) return { model: sentAsItIs };
  if (body.kind === 'none') return { model: undefined };
  if (body.kind !== 'bytes') return 'unreadable';
  if (toBuffer(body.bytes).length === 0) return { model: undefined };
  try {
    return { model: askedModel(call, opaqueEdits(call, edits)) };
  } catch (error) {
    if (error instanceof GatewayError) return 'unreadable';
    throw error;
  }
};
