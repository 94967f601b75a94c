import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import { bodyModels } from '../../../../plugins/sdk/models/body-models.ts';
import { foldName } from '../../../../plugins/sdk/models/fold-name.ts';
import { formModels } from '../../../../plugins/sdk/models/form-models.ts';
import { lineModels } from '../../../../plugins/sdk/models/line-models.ts';
import {
  type FoundModels,
  joinModels,
  type NamedModels,
  noModels,
} from '../../../../plugins/sdk/models/named-models.ts';
import { outsideModels, routeModels } from '../../../../plugins/sdk/models/outside-models.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { opaqueEdits } from '../../call/edit-opaque.ts';
import type { LeafCall } from '../../call/leaf-call.ts';

type Asking = Pick<LeafCall, 'exchange' | 'dialect'>;

const calls = (model: string | undefined, place: string): FoundModels =>
  model === undefined || model === '' ? noModels : { called: [{ model, place }], further: [] };

const edited = (edits: JsonObject | undefined): FoundModels => calls(findText(edits?.model), 'in the config');

const findJson = ({ exchange }: Asking): JsonObject | undefined => {
  try {
    return exchange.json();
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
};

const unread: FoundModels = { ...noModels, unclear: 'the gateway cannot read the models that its body names.' };

const linesElsewhere: FoundModels = { ...noModels, unclear: 'its body names a file whose lines name models.' };

/** Whether a body names a file of requests. A batch whose lines are judged is created by the route for batches. */
const namesLines = (body: JsonObject): boolean => Object.keys(body).some((name) => foldName(name) === 'inputfileid');

/** Reads the model from a body that is passed through. `unread` if the gateway cannot read a model from it. */
const passedBody = (asking: Asking, edits: JsonObject | undefined): FoundModels => {
  const { formModel, request } = asking.exchange;
  const { body } = request;
  if (formModel !== undefined) return calls(formModel ?? undefined, 'in its form');
  if (body.kind === 'none') return noModels;
  if (body.kind === 'form') return formModels({ ...body.form.fields, ...opaqueEdits(asking, edits) });
  if (body.kind !== 'bytes') return unread;
  const bytes = toBuffer(body.bytes);
  if (bytes.length === 0) return noModels;
  const json = findJson(asking);
  if (json === undefined) return lineModels(bytes.toString()) ?? unread;
  if (asking.exchange.isDispatched !== true && namesLines(json)) return linesElsewhere;
  const laid = opaqueEdits(asking, edits);
  return bodyModels(laid === undefined ? json : { ...json, ...laid });
};

const passedModels = (asking: Asking, edits: JsonObject | undefined): NamedModels => {
  // It has no body: the model of the config replaces that in its query.
  if (asking.exchange.route.opensSession === true && findText(edits?.model) !== undefined)
    return joinModels([edited(edits)]);
  const outside = outsideModels(asking.exchange);
  const inBody = passedBody(asking, edits);
  const isNamed = outside.some(({ called }) => called.length > 0);
  // A body of another type, such as audio, is the input of a model that the path names.
  return joinModels(inBody === unread && isNamed ? outside : [...outside, inBody]);
};

const modelledModels = ({ exchange }: Asking, edits: JsonObject | undefined): NamedModels => {
  const isReplaced = edits?.model !== undefined;
  return joinModels([
    isReplaced ? edited(edits) : routeModels(exchange),
    bodyModels(exchange.json(), { only: 'model', isReplaced }),
  ]);
};

/**
 * Returns the models that a request is sent with. This is the only place that reads all the ways in which a request can name a
 * model; they are described in `plugins/sdk/models/`. For a passed-through request, all of them are read. Throws the
 * `GatewayError` `malformed-body` for a modelled operation whose body is not a JSON object.
 */
export const askedModels = (
  asking: Asking,
  edits: JsonObject | undefined,
  isPassed: boolean = asking.exchange.route.operation === 'opaque',
): NamedModels => (isPassed ? passedModels(asking, edits) : modelledModels(asking, edits));
