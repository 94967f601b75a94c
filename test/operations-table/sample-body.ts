import type { JsonObject } from '../../schema/json/json.ts';
import { operationSamples } from './samples.ts';

/** A sample request body of a dialect, with the given model, or without a model in the body. */
export const sampleBody = (dialect: string, model?: string): JsonObject | FormData => {
  const sample = operationSamples[dialect];
  if (sample === undefined)
    throw new Error(`Give the dialect "${dialect}" a sample in test/operations-table/samples.ts.`);
  const body = sample.request('Hello!');
  if (body instanceof FormData) {
    body.delete('model');
    if (model !== undefined) body.append('model', model);
    return body;
  }
  const { model: _, ...rest } = body;
  return model === undefined ? rest : { model, ...rest };
};
