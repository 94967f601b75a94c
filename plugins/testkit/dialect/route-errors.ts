import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { framings } from '../../sdk/framings/framings.ts';
import { belowBase, routePathError } from '../../sdk/route/route-path.ts';
import { attempt } from '../errors/attempt.ts';

const toPaths = ({ routes = [], siblings = [], roots = [], models }: Dialect): readonly string[] => [
  ...routes.map(({ path }) => path),
  ...siblings,
  ...roots,
  ...(models?.path === undefined ? [] : [models.path]),
];

const pathErrors = (dialect: Dialect): readonly string[] => {
  const paths = toPaths(dialect);
  return [
    ...paths.flatMap((path) => {
      const error = routePathError(belowBase(path));
      return error === undefined ? [] : [`the route ${path} cannot be served: ${error}`];
    }),
    ...paths.filter((path, at) => paths.indexOf(path) !== at).map((path) => `the route ${path} is declared twice`),
  ];
};

/** Queries with which clients of some formats choose a framing, and others. */
const queries = ['', 'alt=sse', 'alt=json', 'stream=true', 'x'];

const framingErrors = ({ routes = [], framing = 'sse' }: Dialect): readonly string[] => [
  ...(Object.hasOwn(framings, framing) ? [] : [`there is no framing "${framing}"`]),
  ...routes.flatMap((route) =>
    queries.flatMap((query) =>
      attempt(`the framing of ${route.path} with the query "${query}"`, () => {
        const chosen = route.framing?.(new URLSearchParams(query)) ?? framing;
        return Object.hasOwn(framings, chosen) ? [] : [`the route ${route.path} chooses the framing "${chosen}"`];
      }),
    ),
  ),
];

const credentialErrors = ({ clientCredentials: { headers = [], query = [] } = {} }: Dialect): readonly string[] => [
  ...headers
    .filter((name) => !/^[a-z0-9!#$%&'*+.^`|~_-]+$/.test(name))
    .map((name) => `the header "${name}" of its clients' credential must be a header's name in lower case`),
  ...query.filter((name) => name === '').map(() => "a member of the query for its clients' credential has no name"),
];

/**
 * Returns the errors in what a dialect declares about its clients: paths that cannot be served, and framings that do not exist.
 */
export const routeErrors = (dialect: Dialect): readonly string[] => [
  ...pathErrors(dialect),
  ...framingErrors(dialect),
  ...credentialErrors(dialect),
];
