import type { ReadConsolePage } from '../../plugins/sdk/control-plane/console-pages.ts';
import type { Identities } from '../../plugins/sdk/control-plane/identities.ts';
import type { DialectDeclaration } from '../../plugins/sdk/dialect/dialect.ts';
import type { Principal } from '../../plugins/sdk/exchange/exchange.ts';
import type { RawHeaders } from '../../plugins/sdk/http/http.ts';
import { isConsolePath } from '../../plugins/sdk/route/route-path.ts';
import { type ErrorReport, errorReport } from '../../schema/errors/errors.ts';
import type { Authentication } from '../access/authenticate.ts';
import { foreignCaller } from '../access/foreign-caller.ts';
import { pageErrorText, unknownRoute } from '../http/answer/unknown-route.ts';
import type { Clients } from '../http/exchange/clients.ts';
import type { ServerAnswer, ServerRequest } from '../http/exchange/connection.ts';
import { plainAddress } from '../http/exchange/peer-address.ts';
import { isHandshake, refusedUpgrade } from '../http/exchange/refused-upgrade.ts';
import { newTraceId, traceIdFrom } from '../http/exchange/trace-id.ts';
import type { CallerHeaders } from '../http/headers/caller-headers.ts';
import { metricsError, type ReadMetrics } from './metrics-page.ts';
import type { PagePath } from './page-rows.ts';
import type { ReadyFacts } from './ready-facts.ts';

export interface HealthPagesOptions {
  readonly clients: Clients;
  /** Returns the facts of `/readyz`. */
  readonly readiness: () => ReadyFacts | Promise<ReadyFacts>;
  readonly draining: () => boolean;
  /** Whether only callers from this machine are answered: without service keys on a loopback address. */
  readonly guarded: boolean;
  /**
   * Set if there are service keys. They determine who may see more than the status, and reject only with a `GatewayError`. Keys
   * of one workspace do not see what others have.
   */
  readonly identities?: Identities | undefined;
  /** Notified of each service key that belongs to nobody. */
  readonly onRefused?: Authentication['onRefused'];
  /** Set if `/metrics` is one of the pages. */
  readonly metrics?: ReadMetrics | undefined;
  /** Set if there is a store. */
  readonly consolePages?: ReadConsolePage | undefined;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: RawHeaders;
  readonly caller: CallerHeaders;
  /** The caller's address. */
  readonly from: string | undefined;
}

interface Page {
  readonly status: number;
  readonly type: string;
  readonly text: string | Uint8Array;
  readonly headers?: readonly string[];
}

type Read = (asked: Asked) => Page | Promise<Page>;

const json = (status: number, text: string): Page => ({ status, type: 'application/json', text });

const withHeaders = (page: Page, headers: Page['headers']): Page =>
  headers === undefined ? page : { ...page, headers };

const allowedMethods = ['allow', 'GET, HEAD, OPTIONS'] as const;

const refuse = (report: ErrorReport, dialect?: DialectDeclaration): Page =>
  withHeaders(json(report.status, pageErrorText(report, dialect)), report.headers);

const greeting: Page = {
  status: 200,
  type: 'text/plain; charset=utf-8',
  text: 'This is Gatewright. Send model requests to /v1, for instance to /v1/chat/completions.\n',
};

const alive: Page = { status: 200, type: 'text/plain; charset=utf-8', text: 'alive\n' };

/** Whether a caller is shown configs and secrets. */
const seesPlans = (holder: Principal | undefined): boolean => holder !== undefined && holder.reach !== 'workspace';

/**
 * Returns the gateway's own pages: a greeting, `/livez`, `/readyz`, and `/metrics` if configured. All other paths that reach this
 * are unknown.
 */
export const healthPages = ({
  clients,
  readiness,
  draining,
  guarded,
  identities,
  onRefused,
  metrics,
  consolePages,
}: HealthPagesOptions): ((request: ServerRequest, response: ServerAnswer) => void) => {
  /** Whether a caller may see the names of configs and secrets. */
  const mayKnow = ({ caller: { serviceKey, overrides }, from }: Asked): boolean | Promise<boolean> => {
    if (identities === undefined) return true;
    const presented = serviceKey ?? overrides.credential;
    if (presented === undefined) return false;
    const mayRead = (holder: Principal | undefined): boolean => {
      if (holder === undefined) onRefused?.(presented, plainAddress(from));
      return seesPlans(holder);
    };
    const holder = identities.identify(presented);
    return holder instanceof Promise ? holder.then(mayRead, () => false) : mayRead(holder);
  };
  const readyPage = (facts: ReadyFacts, knows: boolean): Page => {
    const serves = facts.status === 'ready' || facts.status === 'degraded';
    return json(serves ? 200 : 503, `${JSON.stringify(knows ? facts : { status: facts.status })}\n`);
  };
  const ready = (asked: Asked): Page | Promise<Page> => {
    const facts = readiness();
    const knows = mayKnow(asked);
    return facts instanceof Promise || knows instanceof Promise
      ? Promise.all([facts, knows]).then((known) => readyPage(...known))
      : readyPage(facts, knows);
  };
  const counted = async (asked: Asked, read: ReadMetrics): Promise<Page> => {
    const error = await metricsError(asked, { identities, onRefused });
    return error === undefined ? { status: 200, ...(await read()) } : refuse(error);
  };
  const described: Readonly<Record<PagePath, Read | undefined>> = {
    '/livez': () => alive,
    '/readyz': ready,
    '/metrics': metrics === undefined ? undefined : (asked) => counted(asked, metrics),
  };
  const pages = new Map<string, Read | undefined>([['/', () => greeting], ...Object.entries(described)]);

  const consoleAt = (path: string): Read | undefined =>
    consolePages !== undefined && isConsolePath(path)
      ? async (asked) => {
          const page = await consolePages(asked).catch(() => undefined);
          return page ?? refuse(unknownRoute(path));
        }
      : undefined;

  const pageFor = (asked: Asked): Page | Promise<Page> => {
    const { method, path, caller } = asked;
    const foreign = guarded ? foreignCaller(caller.host, caller.origin) : undefined;
    const dialect = clients.dialectAt(path);
    if (foreign !== undefined && path !== '/livez')
      return refuse(errorReport('foreign-origin', { from: foreign }), dialect);
    const page = pages.get(path) ?? consoleAt(path);
    if (isHandshake(method, caller)) return refuse(refusedUpgrade(path, clients, page !== undefined).report, dialect);
    if (page === undefined) return refuse(unknownRoute(path), dialect);
    if (method === 'GET' || method === 'HEAD') return page(asked);
    return method === 'OPTIONS'
      ? { status: 204, type: 'text/plain; charset=utf-8', text: '', headers: allowedMethods }
      : refuse(errorReport('method-not-allowed', { path, method, allowed: 'GET' }, { headers: allowedMethods }));
  };

  const send = (response: ServerAnswer, { traceId = '' }: CallerHeaders, page: Page): void => {
    const { headers = [] } = page;
    const isEmpty = page.status === 204 || page.status === 304;
    response.writeHead(page.status, [
      ...(isEmpty ? [] : ['content-type', page.type]),
      ...(isEmpty ? [] : ['content-length', String(Buffer.byteLength(page.text))]),
      ...['x-gw-trace-id', traceIdFrom(traceId) ?? newTraceId()],
      ...headers,
      ...(draining() && response.isFollowed !== true ? ['connection', 'close'] : []),
    ]);
    response.end(page.text);
  };

  return ({ method = 'GET', url = '/', rawHeaders, socket }, response) => {
    const caller = clients.readHeaders(rawHeaders);
    const page = pageFor({
      method,
      path: url.split('?', 1)[0] ?? url,
      headers: rawHeaders,
      caller,
      from: socket.remoteAddress,
    });
    if (page instanceof Promise) page.then((known) => send(response, caller, known));
    else send(response, caller, page);
  };
};
