import { base } from '../../plugins/sdk/route/route-path.ts';
import { slugModel } from '../../schema/text/slug-model.ts';
import type { DeclaredRoute } from './declared-routes.ts';
import { pathError } from './path-error.ts';
import { declaredMatch, type Found, type RouteMatch } from './route-match.ts';
import { bySpecificity, fillPattern, matchPattern, parseRoutePath, type RoutePattern } from './route-pattern.ts';

/** An API some of whose paths are declared, identified by their first segment. */
export interface PathFamily {
  /** The dialects that have it. Includes undefined if a path without a dialect has it too, such as the list of models. */
  readonly dialects: ReadonlySet<string | undefined>;
  /** Query members that contain a credential. */
  readonly credentials: readonly string[];
  /**
   * The endings of its paths if each is below a model, such as `/converse` in `/model/{model}/converse`. Absent if one is not.
   */
  readonly ends?: readonly string[];
}

/** A path without a model, as clients spell it. */
export interface ExactPath {
  readonly found: Found;
  /** The match of a request without a query. */
  readonly match: RouteMatch;
}

/** Declared routes, indexed for look-ups. */
export interface RouteTable {
  /** By method and path. Nearly every request is for one of these paths. */
  readonly exact: ReadonlyMap<string, ReadonlyMap<string, ExactPath>>;
  /** `path` is in canonical form, and `pathname` as received. */
  readonly find: (method: string, path: string, pathname: string) => Found | undefined;
  /** Returns the declared path without a model that a path is below. */
  readonly above: (path: string) => Found | undefined;
  readonly findFamily: (path: string) => PathFamily | undefined;
}

interface PatternRow {
  readonly pattern: RoutePattern;
  readonly declared: DeclaredRoute;
}

/** Returns the first segment of a path. */
export const toFirstSegment = (path: string): string => {
  const end = path.indexOf('/', 1);
  return path.slice(1, end === -1 ? undefined : end);
};

const isFor = ({ method }: Pick<DeclaredRoute, 'method'>, asked: string): boolean =>
  method === undefined || method === asked;

/** Returns the end of a path after a model in its second segment. Undefined for any other path. */
const endBelowModel = (path: string): string | undefined => /^\/[^/]+\/\{model\}(\/.+)$/.exec(path)?.[1];

const toFamilies = (declared: readonly DeclaredRoute[]): ReadonlyMap<string, PathFamily> =>
  new Map(
    Array.from(
      Map.groupBy(declared, ({ path }) => toFirstSegment(path)),
      ([first, routes]): [string, PathFamily] => {
        const ends = routes.flatMap(({ path }) => endBelowModel(path) ?? []);
        return [
          first,
          {
            dialects: new Set(routes.map(({ route: { dialect } }) => dialect)),
            credentials: [...new Set(routes.flatMap(({ credentials }) => credentials))],
            ...(ends.length === routes.length ? { ends } : {}),
          },
        ];
      },
    ),
  );

/** Whether a path may belong to an API all of whose paths are below a model: `/model/info` does not belong to Bedrock's. */
export const hasFormOf = (families: readonly (PathFamily | undefined)[], path: string): boolean =>
  families.some((family) => family !== undefined && family.ends === undefined) ||
  (path.split('/').length > 3 && families.some((family) => family?.ends?.some((end) => path.endsWith(end))));

/** Clients add the version although their base URL ends in it, or neither does. */
const spellings = (path: string): readonly string[] => [base + path, base + base + path, path];

const toPatterns = (declared: readonly DeclaredRoute[]): ReadonlyMap<string, readonly PatternRow[]> => {
  const rows = declared.flatMap((each): PatternRow[] => {
    const pattern = parseRoutePath(each.path);
    return typeof pattern === 'object' ? [{ pattern, declared: each }] : [];
  });
  const sorted = rows.toSorted((one, other) => bySpecificity(one.pattern, other.pattern));
  return Map.groupBy(sorted, ({ pattern: { segments } }) => String(segments[0]));
};

const exactPaths = (written: readonly DeclaredRoute[]): ReadonlyMap<string, ExactPath> =>
  new Map(
    written.flatMap((declared) => {
      const found: Found = { declared, path: declared.path };
      const exact: ExactPath = { found, match: declaredMatch(found, '') };
      return spellings(declared.path).map((spelling) => [spelling, exact] as const);
    }),
  );

/** Indexes declared routes that do not collide. */
export const createRouteTable = (declared: readonly DeclaredRoute[]): RouteTable => {
  const written = declared.filter(({ path }) => parseRoutePath(path) === 'exact');
  const ofMethod = (method: string): ReadonlyMap<string, ExactPath> =>
    exactPaths(written.filter((each) => isFor(each, method)));
  const exact = new Map(['GET', 'POST'].map((method) => [method, ofMethod(method)] as const));
  const ofAnyMethod = exactPaths(written.filter(({ method }) => method === undefined));
  const patterns = toPatterns(declared);
  const families = toFamilies(declared);

  const findPattern: RouteTable['find'] = (method, path, pathname) => {
    const rows = patterns.get(toFirstSegment(path));
    if (rows === undefined) return undefined;
    const parts = path.slice(1).split('/');
    for (const row of rows) {
      const named = isFor(row.declared, method) ? matchPattern(row.pattern, parts) : undefined;
      if (named === undefined) continue;
      const { model = '' } = named;
      const error = pathError(named, pathname);
      const saved = error === undefined ? slugModel(model) : undefined;
      const providerPath = saved === undefined ? path : fillPattern(row.pattern, saved.model);
      return { declared: row.declared, path, providerPath, model, error };
    }
    return undefined;
  };

  return {
    exact,
    find: (method, path, pathname) =>
      (exact.get(method) ?? ofAnyMethod).get(path)?.found ?? findPattern(method, path, pathname),
    above: (path) => {
      const declared = written.find((each) => path.startsWith(`${each.path}/`));
      return declared === undefined ? undefined : { declared, path };
    },
    findFamily: (path) => families.get(toFirstSegment(path)),
  };
};
