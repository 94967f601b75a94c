import type { ClientRequest, Exchange } from '../exchange/exchange.ts';
import { toBuffer } from '../http/to-buffer.ts';
import { bodyModels } from './body-models.ts';
import { callsNoModel } from './calls-no-model.ts';
import { lineModels } from './line-models.ts';
import { type FoundModels, joinModels } from './named-models.ts';
import { outsideModels } from './outside-models.ts';

/** A larger body is not parsed only for this. */
const maxLineBytes = 256 * 1024;

const linesIn = ({ body }: ClientRequest): FoundModels | undefined =>
  body.kind === 'bytes' && body.bytes.length <= maxLineBytes ? lineModels(toBuffer(body.bytes).toString()) : undefined;

const passedModel = (exchange: Exchange): string | undefined => {
  const { formModel, readBody, request } = exchange;
  if (callsNoModel(request)) return undefined;
  if (typeof formModel === 'string') return formModel;
  const inBody = readBody === undefined ? linesIn(request) : bodyModels(readBody);
  const named = joinModels([...outsideModels(exchange), ...(inBody === undefined ? [] : [inBody])]);
  return named.kind === 'named' ? named.model : undefined;
};

/** Returns the model that a request names, as far as it was read. Undefined if it names none, or several. */
export const requestedModel = (exchange: Exchange): string | undefined => {
  const { readBody, route } = exchange;
  if (route.model !== undefined) return route.model;
  if (typeof readBody?.model === 'string') return readBody.model;
  return route.operation === 'opaque' ? passedModel(exchange) : undefined;
};
