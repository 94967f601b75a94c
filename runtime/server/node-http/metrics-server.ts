import { createServer } from '../../../plugins/sdk/http/node-http.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import { isLoopback } from '../../../schema/http/is-loopback.ts';
import { foreignCaller } from '../../access/foreign-caller.ts';
import { plainErrorText } from '../../http/answer/plain-error-text.ts';
import type { ReadMetrics } from '../../status-pages/metrics-page.ts';

export interface MetricsServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly read: ReadMetrics;
}

/** A server for metrics only. */
export interface MetricsServer {
  readonly port: number;
  close(): void;
}

/** Serves only `/metrics`, to everyone who can connect. Rejects like `server.listen`. */
export const startMetricsServer = ({ host, port, read }: MetricsServerOptions): Promise<MetricsServer> =>
  new Promise((resolve, reject) => {
    const server = createServer(({ url = '/', headers, method = 'GET' }, response) => {
      const path = url.split('?', 1)[0] ?? url;
      // A web page must not read them through a name that it resolves to this machine.
      const from = isLoopback(host) ? foreignCaller(headers.host, headers.origin) : undefined;
      const refuse = (report: ReturnType<typeof errorReport>): void => {
        response.writeHead(report.status, { 'content-type': 'application/json' }).end(plainErrorText(report));
      };
      if (from !== undefined) refuse(errorReport('foreign-origin', { from }));
      else if (path !== '/metrics')
        refuse(errorReport('not-found', { what: 'page', name: path, suggestion: 'Metrics are at /metrics.' }));
      else if (method !== 'GET' && method !== 'HEAD')
        refuse(errorReport('method-not-allowed', { path, method, allowed: 'GET' }));
      else
        read().then(
          ({ type, text }) => response.writeHead(200, { 'content-type': type }).end(text),
          () => refuse(errorReport('internal-error', {})),
        );
    });
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        close: () => {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
