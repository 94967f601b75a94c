import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { resolved } from '../../../support/declared/resolved-references.ts';
import type { TenantWorld } from './tenant-world.ts';

/** An operation of `openapi.json`. */
export interface DescribedRoute {
  /** `PUT` */
  readonly method: string;
  /** Below `/v1`: `/configs/{slug}/versions`. */
  readonly path: string;
  readonly operationId: string;
  /** Whether other spellings of the path go to a provider. */
  readonly isShared: boolean;
  /** Where input can be, apart from the path: `query:page_size`, `body/settings/config`. For lists: `body/models/-/slug`. */
  readonly members: readonly string[];
}

const readObject = (value: Json | undefined): JsonObject => (isJsonObject(value ?? null) ? (value as JsonObject) : {});
const readList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const readMembers = (value: Json | undefined, at: string): readonly string[] => {
  const schema = readObject(value);
  const own = Object.entries(readObject(schema.properties)).flatMap(([name, inner]) => [
    `${at}/${name}`,
    ...readMembers(inner, `${at}/${name}`),
  ]);
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => readList(schema[word]));
  return [...own, ...choices.flatMap((each) => readMembers(each, at)), ...membersOfItems(schema.items, at)];
};

const membersOfItems = (items: Json | undefined, at: string): readonly string[] =>
  items === undefined ? [] : readMembers(items, `${at}/-`);

const readQuery = (parameters: Json | undefined): readonly string[] =>
  readList(parameters)
    .map(readObject)
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => `query:${name}`);

/** Returns the operations of an `openapi.json`. */
export const routesIn = (text: string): readonly DescribedRoute[] => {
  const { paths } = resolved(JSON.parse(text));
  return Object.entries(readObject(paths)).flatMap(([path, methods]) =>
    Object.entries(readObject(methods)).flatMap(([method, value]) => {
      const {
        operationId,
        parameters,
        requestBody,
        'x-gw-shared': isShared,
        'x-gw-dialect': dialect,
        'x-gw-page': isPage,
        'x-gw-body': body,
      } = readObject(value);
      // Requests to models name saved records only in their headers, and have no pages.
      if (dialect !== undefined || isPage === true) return [];
      const { schema } = readObject(readObject(readObject(requestBody).content)['application/json']);
      return [
        {
          method: method.toUpperCase(),
          path: path.replace(/^\/v1/, ''),
          operationId: String(operationId),
          isShared: isShared === true,
          members: [...new Set([...readQuery(parameters), ...(body === 'model' ? [] : readMembers(schema, 'body'))])],
        },
      ];
    }),
  );
};

/** Returns the operations that the gateway declares. */
export const describedRoutes = async ({ ask, ours }: TenantWorld): Promise<readonly DescribedRoute[]> => {
  const { text } = await ask('GET /v1/openapi.json', { key: ours.admin });
  return routesIn(text);
};
