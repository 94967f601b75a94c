import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { resolved } from '../../support/declared/resolved-references.ts';

/** A parameter of a path, a query or the headers. */
export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: ParameterSchema;
}

interface Content {
  readonly [type: string]: { readonly schema?: ParameterSchema };
}

/** The documented reply for one status. */
export interface ApiReply {
  readonly content?: Content;
  /** By name, in lower case. */
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** One operation of the document, with references resolved. */
export interface Operation {
  readonly method: string;
  /** Relative to the base, with parameters in braces. */
  readonly path: string;
  readonly operationId: string;
  /** Undefined if every known caller may use it. */
  readonly scope: string | undefined;
  readonly parameters: readonly ApiParameter[];
  readonly body: { readonly required: boolean; readonly schema: ParameterSchema; readonly isForm: boolean } | undefined;
  /** Whether its requests can be passed on to a provider. */
  readonly isShared: boolean;
  /** By status, or `default`. */
  readonly replies: Readonly<Record<string, ApiReply>>;
}

interface Written {
  readonly operationId: string;
  readonly 'x-gw-scope'?: string;
  readonly 'x-gw-shared'?: true;
  readonly 'x-gw-dialect'?: string;
  readonly 'x-gw-page'?: true;
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ApiReply>>;
}

/** The part of an OpenAPI document that the tests read. */
export interface ApiDocument extends JsonObject {
  readonly paths: JsonObject;
  readonly components: JsonObject;
}

/** Returns all control plane operations of a document in order, without model requests and the gateway's pages. */
export const toOperations = (document: ApiDocument): readonly Operation[] =>
  Object.entries(resolved(document).paths as unknown as Record<string, Record<string, Written>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .filter(([, written]) => written['x-gw-dialect'] === undefined && written['x-gw-page'] === undefined)
        .map(([method, written]) => ({
          method: method.toUpperCase(),
          path,
          operationId: written.operationId,
          scope: written['x-gw-scope'],
          parameters: written.parameters ?? [],
          body: written.requestBody && {
            required: written.requestBody.required,
            schema: written.requestBody.content['application/json']?.schema ?? {},
            isForm: written.requestBody.content['multipart/form-data'] !== undefined,
          },
          isShared: written['x-gw-shared'] === true,
          replies: written.responses,
        })),
  );

/** Returns all member names and enumeration values in the bodies of the document. */
export const toWords = (operations: readonly Operation[]): readonly string[] => {
  const words = new Set<string>(['__proto__', 'constructor', 'toString', 'hyperparameters', '']);
  const read = ({ properties = {}, items, anyOf = [], additionalProperties, enum: words_ = [] }: ParameterSchema) => {
    for (const word of words_) if (typeof word === 'string') words.add(word);
    for (const [name, schema] of Object.entries(properties)) {
      words.add(name);
      read(schema);
    }
    for (const each of anyOf) read(each);
    if (items !== undefined) read(items);
    if (typeof additionalProperties === 'object') read(additionalProperties);
  };
  for (const { body } of operations) if (body !== undefined) read(body.schema);
  return [...words];
};
