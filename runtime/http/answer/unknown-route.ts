import type { DialectDeclaration } from '../../../plugins/sdk/dialect/dialect.ts';
import { type ErrorReport, errorReport } from '../../../schema/errors/errors.ts';
import { plainErrorText } from './plain-error-text.ts';

const longestShown = 200;

/** Paths of health checks in other gateways and frameworks. Those of LiteLLM are below `/health`. */
const healthPath = /^\/(?:health(?:z|check)?|_health|live|liveness|ready|readiness|ping|status)(?:\/|$)/i;

const suggestionFor = (pathname: string): string => {
  if (pathname === '/metrics')
    return 'Set "metrics": true in the gateway file to serve metrics here. If "metrics" has a port, they are served at that port.';
  if (/^\/console(?:\/[^.]*)?$/.test(pathname))
    return 'The console needs a store: start the gateway with one, such as gw serve --store gateway.db.';
  return healthPath.test(pathname)
    ? 'With gw serve, /readyz reports whether it accepts requests, and /livez whether it is running.'
    : 'Paths begin with /v1, for instance /v1/chat/completions.';
};

/** Returns the error for a path that is not an endpoint. `pathname` excludes the query, which may contain a credential. */
export const unknownRoute = (pathname: string): ErrorReport =>
  errorReport('unknown-route', { path: pathname.slice(0, longestShown), suggestion: suggestionFor(pathname) });

/** Returns the text of an error outside of any model request: in the dialect whose API the path belongs to, if there is one. */
export const pageErrorText = (report: ErrorReport, dialect: DialectDeclaration | undefined): string => {
  try {
    return dialect === undefined ? plainErrorText(report) : `${JSON.stringify(dialect.encodeError(report))}\n`;
  } catch {
    // A plugin's bug must not end the process, and nothing else could catch it here.
    return plainErrorText(report);
  }
};
