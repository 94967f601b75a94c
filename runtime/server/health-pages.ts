import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DialectDeclaration } from '../../plugins/sdk/dialect.ts';
import { type ErrorReport, errorReport } from '../../schema/errors.ts';
import type { GenerationsStatus } from '../generations/generations.ts';
import type { CallerHeaders } from './caller-headers.ts';
import type { Clients } from './clients.ts';
import { foreignCaller } from './foreign-caller.ts';
import type { Identify } from './service-keys.ts';
import { newTraceId, traceIdFrom } from './trace-id.ts';
import { pageErrorText, unknownRoute } from './unknown-route.ts';

export interface HealthPagesOptions {
  readonly clients: Clients;
  readonly status: () => GenerationsStatus;
  readonly draining: () => boolean;
  /** Whether only callers from this machine are answered: without service keys on a loopback address. */
  readonly guarded: boolean;
  /** Given with service keys: finds the holder of a key. Other callers see only the status. */
  readonly identify?: Identify;
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

/** The gateway's own pages: a greeting, `/livez` and `/readyz`. All other paths that come here are unknown. */
export const healthPages = ({
  clients,
  status,
  draining,
  guarded,
  identify,
}: HealthPagesOptions): ((request: IncomingMessage, response: ServerResponse) => void) => {
  /** Whether a caller may see the names of configs and secrets. */
  const mayKnow = ({ serviceKey, overrides }: CallerHeaders): boolean => {
    const presented = serviceKey ?? overrides.credential;
    return identify === undefined || (presented !== undefined && identify(presented) !== undefined);
  };
  const ready = (caller: CallerHeaders): Page => {
    const facts = draining() ? { ...status(), status: 'draining' } : status();
    const serves = facts.status === 'ready' || facts.status === 'degraded';
    return json(serves ? 200 : 503, `${JSON.stringify(mayKnow(caller) ? facts : { status: facts.status })}\n`);
  };
  const pages = new Map<string, (caller: CallerHeaders) => Page>([
    ['/', () => greeting],
    ['/livez', () => alive],
    ['/readyz', ready],
  ]);

  const pageFor = (method: string, path: string, caller: CallerHeaders): Page => {
    const from = guarded ? foreignCaller(caller.host, caller.origin) : undefined;
    const dialect = clients.dialectAt(path);
    if (from !== undefined && path !== '/livez') return refuse(errorReport('foreign-origin', { from }), dialect);
    const page = pages.get(path);
    if (page === undefined) return refuse(unknownRoute(path), dialect);
    return method === 'GET' || method === 'HEAD'
      ? page(caller)
      : refuse(errorReport('method-not-allowed', { path, method, allowed: 'GET' }));
  };

  return ({ method = 'GET', url = '/', rawHeaders }, response) => {
    const caller = clients.readHeaders(rawHeaders);
    const page = pageFor(method, url.split('?', 1)[0] ?? url, caller);
    response.writeHead(page.status, {
      'content-type': page.type,
      'content-length': Buffer.byteLength(page.text),
      'x-gw-trace-id': traceIdFrom(caller.traceId ?? '') ?? newTraceId(),
      ...(page.status === 405 ? { allow: 'GET, HEAD' } : {}),
      ...(draining() ? { connection: 'close' } : {}),
    });
    response.end(page.text);
  };
};
