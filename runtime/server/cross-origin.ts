import { headerValue } from '../../plugins/sdk/http/http.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import type { AllowedOrigins } from '../access/foreign-caller.ts';
import type { ServerAnswer, ServerRequest } from '../http/exchange/connection.ts';

type Listener = (request: ServerRequest, response: ServerAnswer) => void;

interface ServedParts {
  /** Whether a request is for models. The control plane's own paths are for the console and for programs. */
  isForModels(method: string, url: string): boolean;
  /** Reads what still arrives of a request that is answered without its body. */
  drain(response: ServerAnswer): void;
}

/** The rules by which browsers let pages of other origins call models (CORS): https://fetch.spec.whatwg.org/#http-cors-protocol */
export interface CrossOrigin extends AllowedOrigins {
  /**
   * Answers preflights for the paths of clients, which browsers send without a key, and lets pages of allowed origins read all
   * other answers there. Whatever a provider allows to pages does not apply to this gateway, and is removed.
   */
  serve(listener: Listener, parts: ServedParts): Listener;
}

const defaultMaxAgeS = 600;

/** Cookies are never allowed, so `*` stands for all headers of the answer. */
const exposed = ['access-control-expose-headers', '*', 'vary', 'origin'];

const withoutAllowances = (lines: readonly string[]): string[] =>
  lines.filter((_, at) => lines[at - (at % 2)]?.toLowerCase().startsWith('access-control-') !== true);

/** Reads `cors` of the gateway file. */
export const createCrossOrigin = ({
  origins,
  max_age_s: maxAgeS = defaultMaxAgeS,
}: NonNullable<GatewayFile['cors']>): CrossOrigin => {
  const listed = new Set(origins);
  const isAllowed = (origin: string): boolean => listed.has('*') || listed.has(origin);

  const allow = (response: ServerAnswer, origin: string): void => {
    const allowed = isAllowed(origin) ? ['access-control-allow-origin', origin, ...exposed] : [];
    const writeHead = response.writeHead.bind(response);
    response.writeHead = (status, lines) => writeHead(status, [...withoutAllowances(lines), ...allowed]);
  };

  return {
    isAllowed,
    isListed: (origin) => listed.has(origin),
    serve:
      (listener, { isForModels, drain }) =>
      (request, response) => {
        const { method = 'GET', url = '/', rawHeaders } = request;
        const origin = headerValue(rawHeaders, 'origin');
        const wanted = method === 'OPTIONS' ? headerValue(rawHeaders, 'access-control-request-method') : undefined;
        if (origin === undefined || !isForModels(wanted ?? method, url)) {
          listener(request, response);
          return;
        }
        if (wanted === undefined || !isAllowed(origin)) {
          allow(response, origin);
          listener(request, response);
          return;
        }
        const headers = headerValue(rawHeaders, 'access-control-request-headers');
        drain(response);
        response.writeHead(204, [
          ...['access-control-allow-origin', origin, 'access-control-allow-methods', wanted],
          ...(headers === undefined ? [] : ['access-control-allow-headers', headers]),
          ...['access-control-max-age', String(maxAgeS)],
          ...['vary', 'origin, access-control-request-method, access-control-request-headers'],
        ]);
        response.end();
      },
  };
};
