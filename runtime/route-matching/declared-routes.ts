import type { ClientRoute } from '../../plugins/sdk/dialect/client-route.ts';
import type { DialectDeclaration } from '../../plugins/sdk/dialect/dialect.ts';
import type { Route } from '../../plugins/sdk/exchange/exchange.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import { belowBase } from '../../plugins/sdk/route/route-path.ts';

/** Answered from the plan if it names models, otherwise passed through. */
export interface ModelsRoute extends Route {
  readonly operation: 'opaque';
  readonly listsModels: true;
  /** The one model of the list that is requested, percent-decoded. If absent, all are. */
  readonly listedModel?: string;
}

/** The list of models of every dialect, and single models of it. A client's header determines the form. */
export const modelsRoute: ModelsRoute = { operation: 'opaque', listsModels: true };

export const isModelsRoute = (route: Route): route is ModelsRoute => 'listsModels' in route;

/**
 * Sessions of OpenAI's Realtime API, with a WebSocket: https://platform.openai.com/docs/guides/realtime-websocket. Other requests
 * to this path are passed through.
 */
const sessionRoute: Route = { operation: 'opaque', opensSession: true };

/**
 * Responses over a WebSocket: https://developers.openai.com/api/docs/guides/websocket-mode. Other requests with this method are
 * passed through.
 */
const messagesRoute: Route = { operation: 'opaque', answersMessages: true };

/** The query member with the key of Azure's clients that cannot set headers, such as browsers. */
const sessionKeys: readonly string[] = ['api-key'];

/** An endpoint of the control plane, or a path that is reserved for it. */
export interface ControlRoute extends Route {
  readonly operation: 'opaque';
  readonly isControl: true;
  /** Whether this gateway has no control plane, which alone could answer there. */
  readonly isAbsent: boolean;
  /** Whether it is a path of a vendor's API, such as `/responses`, that the control plane serves in place of a provider. */
  readonly isShared: boolean;
}

export const controlRoute: ControlRoute = { operation: 'opaque', isControl: true, isAbsent: false, isShared: false };

/** A path of a vendor's API that the control plane serves. */
export const sharedControlRoute: ControlRoute = { ...controlRoute, isShared: true };

/** A path of the control plane at a gateway without one. */
export const absentControlRoute: ControlRoute = { ...controlRoute, isAbsent: true };

export const isControlRoute = (route: Route): route is ControlRoute => 'isControl' in route;

/** A path and its meaning, as declared by the gateway or a plugin. */
export interface DeclaredRoute {
  /** For messages: `the dialect "chat" of the plugin "gatewright/dialects"`. */
  readonly by: string;
  /** If absent, any method. */
  readonly method?: 'GET' | 'POST';
  /** Below the base, without repeating it: a path of `/v1/embed` is `/embed`. */
  readonly path: string;
  readonly route: Route;
  readonly framing?: ClientRoute['framing'];
  /** Whether the model in the path is written into the body. */
  readonly modelInBody?: boolean;
  /** Query members that contain its clients' credential. */
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

/** Returns the path of a list of models, and that of a single one of them unless it is `declared` as another. */
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

/**
 * Returns every endpoint that the gateway knows: its own, then those of the dialects. Everything else below the base is passed
 * through.
 */
export const declaredRoutes = (plugins: readonly Plugin[]): readonly DeclaredRoute[] => {
  const routes = plugins.flatMap(({ name, dialects = [] }) => dialects.flatMap((dialect) => toRoutes(dialect, name)));
  // The clients of every dialect request this list.
  const credentials = [...new Set(routes.flatMap((each) => each.credentials))];
  const passed = routes.filter(({ method }) => method !== 'POST').map(({ path }) => path);
  const owned = { by: 'the gateway itself', method: 'GET' } as const;
  const own = listPaths('/models', passed).map(
    (path) => ({ ...owned, path, route: modelsRoute, credentials }) as const,
  );
  return [
    ...own,
    { ...owned, path: '/realtime', route: sessionRoute, credentials: sessionKeys },
    { ...owned, path: '/responses', route: messagesRoute, credentials: sessionKeys },
    ...routes,
  ];
};

/** Returns the paths of dialects' APIs for clients whose base URL is the gateway's root. */
export const rootRoutes = (plugins: readonly Plugin[]): readonly DeclaredRoute[] =>
  plugins.flatMap(({ name, dialects = [] }) =>
    dialects.flatMap((dialect) => toPassed(dialect.roots ?? [], dialect, ownedBy(dialect, name))),
  );
