import { Readable } from 'node:stream';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { modelMembers } from '../../../plugins/sdk/models/body-models.ts';
import { foldName } from '../../../plugins/sdk/models/fold-name.ts';
import { sessionField, sessionModels, unclearSession } from '../../../plugins/sdk/models/form-models.ts';
import { type FoundModels, joinModels } from '../../../plugins/sdk/models/named-models.ts';
import { isMultipartForm } from '../../../plugins/sdk/multipart/find-boundary.ts';
import { formBoundary } from '../../../plugins/sdk/multipart/form-boundary.ts';
import { type FormPart, malformed } from '../../../plugins/sdk/multipart/form-part.ts';
import { maxModelBytes, readField } from '../../../plugins/sdk/multipart/read-field.ts';
import { readForm } from '../../../plugins/sdk/multipart/read-form.ts';
import { timesIn } from '../../../plugins/sdk/multipart/times-in.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';
import type { BodyBounds } from './collect-body.ts';
import { receiveWhole } from './receive-body.ts';

const maxSessionBytes = 256 * 1024;

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

const modelsIn = async (part: FormPart): Promise<FoundModels> => {
  const found = sessionModels(await readField(part, maxSessionBytes));
  if (found === undefined) throw malformed(unclearSession);
  return found;
};

/**
 * Returns the model that a form names in a field `model` or `session`. Null if it names none. Throws the `GatewayError`
 * `malformed-upload` for a form in which another reader could find another model.
 */
const formModel = async (bytes: Uint8Array, contentType: string): Promise<string | null> => {
  const boundary = formBoundary(contentType);
  const found: FoundModels[] = [];
  const seen = new Set<string>();
  let parts = 0;
  for await (const part of readForm(whole(bytes), boundary)) {
    parts += 1;
    const name = foldName(part.name.replace(/\[\]$/, ''));
    const isModel = modelMembers.has(name);
    if (!isModel && name !== sessionField) continue;
    if (part.filename !== undefined) throw malformed(`its field "${part.name}" is a file. Send it as a text.`);
    if (seen.has(name)) throw malformed(`it has several fields "${part.name}". Send one.`);
    seen.add(name);
    if (isModel)
      found.push({ called: [{ model: await readField(part, maxModelBytes), place: 'in a field' }], further: [] });
    else found.push(await modelsIn(part));
  }
  // A reader that continues after the last part, or that accepts other line ends, would find parts there.
  if (timesIn(toBuffer(bytes), Buffer.from(`--${boundary}`)) !== parts + 1)
    throw malformed('its boundary also occurs where no part begins.');
  const named = joinModels(found);
  if (named.kind === 'unclear') throw malformed(named.reason);
  return named.kind === 'named' ? named.model : null;
};

/** Whether a request has a form that is passed through. */
export const isPassedForm = ({ caller: { contentType = '' }, route, request }: HttpExchange): boolean =>
  route.operation === 'opaque' && request.body.kind !== 'none' && isMultipartForm(contentType);

/**
 * Reads the model that a passed-through form names, wherever it is in the form, and holds all of the form until then. The form is
 * still sent once, like any other. Rejects with the `GatewayError`s of `receiveWhole` and `formModel`.
 */
export const receiveForm = async (exchange: HttpExchange, bounds: BodyBounds): Promise<void> => {
  const { caller, connection } = exchange;
  if (connection !== undefined && exchange.request.body.kind === 'stream')
    await receiveWhole(exchange, connection, bounds);
  const { body } = exchange.request;
  if (body.kind !== 'bytes') return;
  exchange.formModel = await formModel(body.bytes, caller.contentType ?? '');
  if (connection === undefined || caller.contentEncoding !== undefined) return;
  exchange.request.body = { kind: 'stream', stream: Readable.from([body.bytes], { objectMode: false }) };
};
