import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { resolved } from '../../../support/resolved-references.ts';
import type { TenantWorld } from './tenant-world.ts';

/** An operation of `openapi.json`. */
export interface DescribedRoute {
  /** `PUT` */
  readonly method: string;
  /** Below `/v1`: `/configs/{slug}/versions`. */
  readonly path: string;
  readonly operationId: string;
  /** Whether a provider is asked at other spellings of the path. */
  readonly isShared: boolean;
  /** Where input can be, apart from the path: `query:page_size`, `body/settings/config`; of lists `body/models/-/slug`. */
  readonly members: readonly string[];
}

const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value ?? null) ? (value as JsonObject) : {});
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const membersOf = (value: Json | undefined, at: string): readonly string[] => {
  const schema = objectOf(value);
  const own = Object.entries(objectOf(schema.properties)).flatMap(([name, inner]) => [
    `${at}/${name}`,
    ...membersOf(inner, `${at}/${name}`),
  ]);
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => listOf(schema[word]));
  return [...own, ...choices.flatMap((each) => membersOf(each, at)), ...membersOfItems(schema.items, at)];
};

const membersOfItems = (items: Json | undefined, at: string): readonly string[] =>
  items === undefined ? [] : membersOf(items, `${at}/-`);

const queryOf = (parameters: Json | undefined): readonly string[] =>
  listOf(parameters)
    .map(objectOf)
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => `query:${name}`);

/** The operations of an `openapi.json`. */
export const routesIn = (text: string): readonly DescribedRoute[] => {
  const { paths } = resolved(JSON.parse(text));
  return Object.entries(objectOf(paths)).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).flatMap(([method, value]) => {
      const {
        operationId,
        parameters,
        requestBody,
        'x-gw-shared': isShared,
        'x-gw-dialect': dialect,
        'x-gw-page': isPage,
        'x-gw-body': body,
      } = objectOf(value);
      // Requests to models name nothing that is saved but what their headers do, and pages nothing.
      if (dialect !== undefined || isPage === true) return [];
      const { schema } = objectOf(objectOf(objectOf(requestBody).content)['application/json']);
      return [
        {
          method: method.toUpperCase(),
          path: path.replace(/^\/v1/, ''),
          operationId: String(operationId),
          isShared: isShared === true,
          members: [...new Set([...queryOf(parameters), ...(body === 'model' ? [] : membersOf(schema, 'body'))])],
        },
      ];
    }),
  );
};

/** What the gateway says that it answers. */
export const describedRoutes = async ({ ask, ours }: TenantWorld): Promise<readonly DescribedRoute[]> => {
  const { text } = await ask('GET /v1/openapi.json', { key: ours.admin });
  return routesIn(text);
};
