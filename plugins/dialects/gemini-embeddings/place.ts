import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { toResource } from './to-resource.ts';

const lengthOf = ({ dimensions }: JsonObject): JsonObject =>
  dimensions === undefined ? {} : { outputDimensionality: dimensions };

const others = ({ dimensions: _, ...params }: JsonObject): JsonObject => params;

/** Sets parameters on a request for one vector. */
export const placeSingle = (params: JsonObject, body: JsonObject): JsonObject => ({
  ...body,
  ...others(params),
  ...lengthOf(params),
});

const withMembers = (body: JsonObject, members: JsonObject): JsonObject => {
  const { requests } = body;
  if (!Array.isArray(requests)) return body;
  return { ...body, requests: requests.map((each: Json) => (isJsonObject(each) ? { ...each, ...members } : each)) };
};

/** Sets parameters on a body, each of whose requests specifies the length of its vector. */
export const placeBatch = (params: JsonObject, body: JsonObject): JsonObject => ({
  ...withMembers(body, lengthOf(params)),
  ...others(params),
});

/** Sets the model of a request for one vector. Google rejects a model that differs from that of the path. */
export const nameModel = (body: JsonObject, model: string): JsonObject =>
  body.model === undefined ? body : { ...body, model: toResource(model) };

/** Sets the model in each request. */
export const nameModels = (body: JsonObject, model: string): JsonObject =>
  withMembers(nameModel(body, model), { model: toResource(model) });
