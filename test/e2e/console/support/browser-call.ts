import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { adminKey } from '../../../support/gateways/stored-gateway.ts';

/** The answer to a call that is made like a browser's. */
export interface BrowserAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The cookie that it sets, in the form in which it is sent back. */
  readonly cookie: string;
}

export interface BrowserCall {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
}

/** The headers with which a page of the gateway makes a change. */
export const ownPage = (baseUrl: string): Record<string, string> => ({
  'x-gw-console': '1',
  origin: new URL(baseUrl).origin,
  'sec-fetch-site': 'same-origin',
});

/**
 * Sends a request with exactly these headers, some of which `fetch` does not let a program set. `request`: `GET
 * /console/session`.
 */
export const browserCall = async (
  baseUrl: string,
  request: string,
  { headers = {}, body }: BrowserCall = {},
): Promise<BrowserAnswer> => {
  const [method = '', path = ''] = request.split(' ');
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const { protocol, hostname, port } = new URL(baseUrl);
  const options = {
    ...{ method, path, hostname, port, rejectUnauthorized: false, agent: false },
    headers: {
      ...(sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
      ...headers,
    } as http.OutgoingHttpHeaders,
  };
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const asked = (protocol === 'https:' ? https : http).request(options, resolve);
    asked.on('error', reject);
    asked.end(sent);
  });
  const [set = ''] = answer.headers['set-cookie'] ?? [];
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text: await text(answer),
    cookie: set.split(';')[0] ?? '',
  };
};

/** Begins a session and returns its cookie. */
export const signIn = async (baseUrl: string, key: string = adminKey): Promise<string> => {
  const answer = await browserCall(baseUrl, 'POST /console/session', { headers: ownPage(baseUrl), body: { key } });
  if (answer.status !== 200) throw new Error(`Nobody is signed in: ${answer.status} ${answer.text}`);
  return answer.cookie;
};
