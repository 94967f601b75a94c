import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DialectDeclaration } from '../../plugins/sdk/dialect.ts';
import type { Principal } from '../../plugins/sdk/exchange.ts';
import type { Identities } from '../../plugins/sdk/identities.ts';
import type { StoreStatus } from '../../plugins/sdk/store-status.ts';
import { type ErrorReport, errorReport } from '../../schema/errors.ts';
import type { GenerationsStatus } from '../generations/generations.ts';
import type { Clock } from '../ports/clock.ts';
import type { CallerHeaders } from './caller-headers.ts';
import type { Clients } from './clients.ts';
import { foreignCaller } from './foreign-caller.ts';
import { withIdentityStatus } from './identity-status.ts';
import { withStoreStatus } from './store-status.ts';
import { newTraceId, traceIdFrom } from './trace-id.ts';
import { pageErrorText, unknownRoute } from './unknown-route.ts';

export interface HealthPagesOptions {
  readonly clients: Clients;
  readonly status: () => GenerationsStatus;
  readonly draining: () => boolean;
  /** Whether only callers from this machine are answered: without service keys on a loopback address. */
  readonly guarded: boolean;
  /**
   * Given with service keys: they say who may see more than the status. They reject only with a `GatewayError`. Keys of one
   * workspace do not see what others have.
   */
  readonly identities?: Identities;
  /** Given with a store. */
  readonly storeStatus?: () => StoreStatus;
  readonly clock: Pick<Clock, 'wall'>;
}

interface Page {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const json = (status: number, text: string): Page => ({ status, type: 'application/json', text });

const refuse = (report: ErrorReport, dialect?: DialectDeclaration): Page =>
  json(report.status, pageErrorText(report, dialect));

const greeting: Page = {
  status: 200,
  type: 'text/plain; charset=utf-8',
  text: 'This is Gatewright. Send model requests to /v1, for instance to /v1/chat/completions.\n',
};

const alive: Page = { status: 200, type: 'text/plain; charset=utf-8', text: 'alive\n' };

/** Whether a caller is told about configs and secrets. */
const seesPlans = (holder: Principal | undefined): boolean => holder !== undefined && holder.reach !== 'workspace';

/** The gateway's own pages: a greeting, `/livez` and `/readyz`. All other paths that come here are unknown. */
export const healthPages = ({
  clients,
  status,
  draining,
  guarded,
  identities,
  storeStatus,
  clock,
}: HealthPagesOptions): ((request: IncomingMessage, response: ServerResponse) => void) => {
  /** Whether a caller may see the names of configs and secrets. */
  const mayKnow = ({ serviceKey, overrides }: CallerHeaders): boolean | Promise<boolean> => {
    if (identities === undefined) return true;
    const presented = serviceKey ?? overrides.credential;
    const holder = presented === undefined ? undefined : identities.identify(presented);
    return holder instanceof Promise ? holder.then(seesPlans, () => false) : seesPlans(holder);
  };
  const ready = (caller: CallerHeaders): Page | Promise<Page> => {
    const known = identities === undefined ? status() : withIdentityStatus(status(), identities, clock);
    const now = storeStatus === undefined ? known : withStoreStatus(known, storeStatus(), clock);
    const facts = draining() ? { ...now, status: 'draining' } : now;
    const serves = facts.status === 'ready' || facts.status === 'degraded';
    const page = (knows: boolean): Page =>
      json(serves ? 200 : 503, `${JSON.stringify(knows ? facts : { status: facts.status })}\n`);
    const knows = mayKnow(caller);
    return knows instanceof Promise ? knows.then(page) : page(knows);
  };
  const pages = new Map<string, (caller: CallerHeaders) => Page | Promise<Page>>([
    ['/', () => greeting],
    ['/livez', () => alive],
    ['/readyz', ready],
  ]);

  const pageFor = (method: string, path: string, caller: CallerHeaders): Page | Promise<Page> => {
    const from = guarded ? foreignCaller(caller.host, caller.origin) : undefined;
    const dialect = clients.dialectAt(path);
    if (from !== undefined && path !== '/livez') return refuse(errorReport('foreign-origin', { from }), dialect);
    const page = pages.get(path);
    if (page === undefined) return refuse(unknownRoute(path), dialect);
    return method === 'GET' || method === 'HEAD'
      ? page(caller)
      : refuse(errorReport('method-not-allowed', { path, method, allowed: 'GET' }));
  };

  const send = (response: ServerResponse, { traceId = '' }: CallerHeaders, page: Page): void => {
    response.writeHead(page.status, {
      'content-type': page.type,
      'content-length': Buffer.byteLength(page.text),
      'x-gw-trace-id': traceIdFrom(traceId) ?? newTraceId(),
      ...(page.status === 405 ? { allow: 'GET, HEAD' } : {}),
      ...(draining() ? { connection: 'close' } : {}),
    });
    response.end(page.text);
  };

  return ({ method = 'GET', url = '/', rawHeaders }, response) => {
    const caller = clients.readHeaders(rawHeaders);
    const page = pageFor(method, url.split('?', 1)[0] ?? url, caller);
    if (page instanceof Promise) page.then((known) => send(response, caller, known));
    else send(response, caller, page);
  };
};
