import { builtinPlugins } from '../../plugins/builtin.ts';
import { declaredRows } from '../../plugins/control/control-routes.ts';
import { openApi } from '../../runtime/control-routes/open-api/document.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';

/** The OpenAPI document of a gateway with a store and no additional plugins. */
export const openApiDocument: JsonObject = await openApi(declaredRows(), builtinPlugins);

/** Follows the references in a part of the document to its components. */
export const resolveReference = (value: Json | undefined): JsonObject => {
  if (!isJsonObject(value)) return {};
  const { $ref: reference } = value;
  if (typeof reference !== 'string') return value;
  let at: Json | undefined = openApiDocument;
  for (const step of reference.replace('#/', '').split('/')) at = isJsonObject(at) ? at[step] : undefined;
  return resolveReference(at);
};

export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operation: JsonObject;
}

/** Returns every operation, in the order of the document. */
export const listOperations = (): readonly Operation[] =>
  Object.entries(isJsonObject(openApiDocument.paths) ? openApiDocument.paths : {}).flatMap(([path, methods]) =>
    Object.entries(isJsonObject(methods) ? methods : {}).flatMap(([method, operation]) =>
      isJsonObject(operation) ? [{ path, method: method.toUpperCase(), operation }] : [],
    ),
  );

/** Returns the parameters of an operation, without references. */
export const parametersOf = ({ parameters }: JsonObject): readonly JsonObject[] =>
  (Array.isArray(parameters) ? parameters : []).map(resolveReference);
