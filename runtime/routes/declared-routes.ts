import type { ClientRoute } from '../../plugins/sdk/dialect/client-route.ts';
import type { DialectDeclaration } from '../../plugins/sdk/dialect/dialect.ts';
import type { Route } from '../../plugins/sdk/exchange/exchange.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import { belowBase } from '../../plugins/sdk/route/route-path.ts';

/** Answered from the plan if it names models, and passed through if not. */
export interface ModelsRoute extends Route {
  readonly operation: 'opaque';
  readonly listsModels: true;
  /** The one model of the list that is asked for, percent-decoded; absent: all are. */
  readonly listedModel?: string;
}

/** The list of models of every dialect, and one of them; a client's header says in which of their forms. */
export const modelsRoute: ModelsRoute = { operation: 'opaque', listsModels: true };

export const isModelsRoute = (route: Route): route is ModelsRoute => 'listsModels' in route;

/** An endpoint of the control plane, or a path that is reserved for it. */
export interface ControlRoute extends Route {
  readonly operation: 'opaque';
  readonly isControl: true;
  /** Whether this gateway has no control plane, which alone could answer there. */
  readonly isAbsent: boolean;
}

export const controlRoute: ControlRoute = { operation: 'opaque', isControl: true, isAbsent: false };

/** A path of the control plane at a gateway without one. */
export const absentControlRoute: ControlRoute = { ...controlRoute, isAbsent: true };

export const isControlRoute = (route: Route): route is ControlRoute => 'isControl' in route;

/** A path with what it means, as somebody declared it. */
export interface DeclaredRoute {
  /** For messages: `the dialect "chat" of the plugin "gatewright/dialects"`. */
  readonly by: string;
  /** Absent: any. */
  readonly method?: 'GET' | 'POST';
  /** Below the base, in which it is not repeated: a path of `/v1/embed` is `/embed`. */
  readonly path: string;
  readonly route: Route;
  readonly framing?: ClientRoute['framing'];
  /** Whether the model in the path belongs into the body. */
  readonly modelInBody?: boolean;
  /** Members of the query that are its clients' credential. */
  readonly credentials: readonly string[];
}

const toRoute = (
  { id, operation }: DialectDeclaration,
  { operation: own = operation, stream, hasForms }: ClientRoute,
): Route => ({
  operation: own,
  dialect: id,
  ...(stream === undefined ? {} : { stream }),
  ...(hasForms === undefined ? {} : { hasForms }),
});

const ownedBy = ({ id, clientCredentials }: DialectDeclaration, plugin: string) => ({
  by: `the dialect "${id}" of the plugin "${plugin}"`,
  credentials: clientCredentials?.query ?? [],
});

const toPassed = (paths: readonly string[], { id }: DialectDeclaration, owned: ReturnType<typeof ownedBy>) =>
  paths.map((path): DeclaredRoute => ({ ...owned, path, route: { operation: 'opaque', dialect: id } }));

/** The path of a list of models, and that of one of them unless it is `declared` as another. */
const listPaths = (path: string, declared: readonly string[]): readonly string[] => [
  path,
  ...[`${path}/{model}`].filter((one) => !declared.includes(one)),
];

const toRoutes = (dialect: DialectDeclaration, plugin: string): readonly DeclaredRoute[] => {
  const { id, routes = [], siblings = [], models } = dialect;
  const owned = ownedBy(dialect, plugin);
  const beside = siblings.map(belowBase);
  return [
    ...routes.map((each): DeclaredRoute => {
      const { modelInBody = false } = each;
      const route = toRoute(dialect, each);
      const declared = { ...owned, method: 'POST', path: belowBase(each.path), route, modelInBody } as const;
      return each.framing === undefined
        ? declared
        : { ...declared, framing: (query) => each.framing?.(query) ?? 'sse' };
    }),
    ...toPassed(beside, dialect, owned),
    ...(models?.path === undefined
      ? []
      : listPaths(belowBase(models.path), beside).map(
          (path) => ({ ...owned, method: 'GET', path, route: { ...modelsRoute, dialect: id } }) as const,
        )),
  ];
};

/** Every endpoint that the gateway knows: its own, then those of the dialects. All else below the base is passed through. */
export const declaredRoutes = (plugins: readonly Plugin[]): readonly DeclaredRoute[] => {
  const routes = plugins.flatMap(({ name, dialects = [] }) => dialects.flatMap((dialect) => toRoutes(dialect, name)));
  // The clients of every dialect ask for this list.
  const credentials = [...new Set(routes.flatMap((each) => each.credentials))];
  const passed = routes.filter(({ method }) => method !== 'POST').map(({ path }) => path);
  const own = listPaths('/models', passed).map(
    (path) => ({ by: 'the gateway itself', method: 'GET', path, route: modelsRoute, credentials }) as const,
  );
  return [...own, ...routes];
};

/** Where the APIs of dialects are for clients whose base URL is the gateway's root. */
export const rootRoutes = (plugins: readonly Plugin[]): readonly DeclaredRoute[] =>
  plugins.flatMap(({ name, dialects = [] }) =>
    dialects.flatMap((dialect) => toPassed(dialect.roots ?? [], dialect, ownedBy(dialect, name))),
  );
