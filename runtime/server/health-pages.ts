import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorReport, errorReport } from '../../schema/errors.ts';
import type { GenerationsStatus } from '../generations/generations.ts';
import { foreignCaller } from './foreign-caller.ts';
import { plainErrorText } from './plain-error-text.ts';
import { readCallerHeaders } from './read-caller-headers.ts';
import { newTraceId, traceIdFrom } from './trace-id.ts';

export interface HealthPagesOptions {
  readonly status: () => GenerationsStatus;
  readonly draining: () => boolean;
  /** Without service keys on a loopback address: only callers from here are answered. */
  readonly guarded: boolean;
}

interface Page {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const json = (status: number, text: string): Page => ({ status, type: 'application/json', text });

const refuse = (report: ErrorReport): Page => json(report.status, plainErrorText(report));

const greeting: Page = {
  status: 200,
  type: 'text/plain; charset=utf-8',
  text: 'This is Gatewright. Send model requests to /v1, for instance to /v1/chat/completions.\n',
};

const alive: Page = { status: 200, type: 'text/plain; charset=utf-8', text: 'alive\n' };

/** The pages beside the gateway's traffic: a greeting, `/livez` and `/readyz`. */
export const healthPages = ({
  status,
  draining,
  guarded,
}: HealthPagesOptions): ((request: IncomingMessage, response: ServerResponse) => void) => {
  const ready = (): Page => {
    const facts = draining() ? { ...status(), status: 'draining' } : status();
    const serves = facts.status === 'ready' || facts.status === 'degraded';
    return json(serves ? 200 : 503, `${JSON.stringify(facts)}\n`);
  };
  const pages = new Map<string, () => Page>([
    ['/', () => greeting],
    ['/livez', () => alive],
    ['/readyz', ready],
  ]);

  const pageFor = (method: string, path: string, from: string | undefined): Page => {
    if (from !== undefined && path !== '/livez') return refuse(errorReport('foreign-origin', { from }));
    const page = pages.get(path);
    if (page === undefined) return refuse(errorReport('unknown-route', { path: path.slice(0, 200) }));
    return method === 'GET' || method === 'HEAD' ? page() : refuse(errorReport('method-not-allowed', { path, method }));
  };

  return ({ method = 'GET', url = '/', rawHeaders }, response) => {
    const caller = readCallerHeaders(rawHeaders);
    const from = guarded ? foreignCaller(caller.host, caller.origin) : undefined;
    const page = pageFor(method, url.split('?', 1)[0] ?? url, from);
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
