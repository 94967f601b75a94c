import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import { spliceParams } from '../../body/edit/splice-params.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';

/** Writes the model that the path names into a body of JSON. One that is no object stays, to be refused where it is read. */
export const withPathModel = ({ request, route: { bodyModel: model } }: HttpExchange): void => {
  const { body } = request;
  if (model === undefined || body.kind !== 'bytes' || parseObject(toBuffer(body.bytes).toString()) === undefined)
    return;
  request.body = { kind: 'bytes', bytes: spliceParams(body.bytes, { model }) };
};
