import { boundaryOf } from '../../plugins/sdk/multipart/boundary-of.ts';
import { malformed } from '../../plugins/sdk/multipart/form-part.ts';
import { readField } from '../../plugins/sdk/multipart/read-field.ts';
import { readForm } from '../../plugins/sdk/multipart/read-form.ts';

/** The longest name of a model, in bytes. */
const mostBytes = 1024;

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/**
 * The field `model` of a form; undefined if it has none. Throws the `GatewayError` `malformed-upload` for a form of which
 * another reader could find another model.
 */
export const formModel = async (bytes: Uint8Array, contentType: string): Promise<string | undefined> => {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) throw malformed('its content-type names no boundary.');
  let model: string | undefined;
  for await (const part of readForm(whole(bytes), boundary)) {
    if (part.name !== 'model') continue;
    if (part.filename !== undefined) throw malformed('its field "model" is a file. Send it as a text.');
    if (model !== undefined) throw malformed('it has several fields "model". Send one.');
    model = await readField(part, mostBytes);
  }
  return model;
};
