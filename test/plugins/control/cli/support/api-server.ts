import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished, vi } from 'vitest';
import { type GwRun, runGw } from '../../../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';

/** A request as the server received it. */
export interface GotRequest {
  /** `GET /v1/configs?page_size=2`. */
  readonly line: string;
  readonly key: string | undefined;
  readonly workspace: string | undefined;
  readonly config?: string;
  /** The parsed body, or `undefined` if there is none. */
  readonly body: unknown;
}

export interface ScriptedAnswer {
  readonly status?: number;
  readonly json?: unknown;
  /** A body instead of JSON. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiServer {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  readonly requests: readonly GotRequest[];
}

/** The response of a control plane to a request without a service key. */
const refusal: ScriptedAnswer = {
  status: 401,
  json: {
    error: { message: 'This gateway requires a service key.', type: 'authentication_error', param: null, code: 'AB05' },
  },
};

/** A response with the members that any command shows. */
const anything = {
  ...{ object: 'list', data: [], models: [], data_points: [], summary: {} },
  ...{ id: '1', slug: 'a', name: 'A', key: 'gw-new', version: 1, label: 'b', feedback_ids: [], allow_all_models: true },
  ...{ outcome: 'accepted', passed: true, key_transition_expires_at: 1_896_087_600 },
};

/**
 * Starts a control plane that answers every request alike, by its line, or never. It does not record the probes by which a
 * command recognises a control plane. If `isControlPlane` is false, it is another server, which answers probes like every other
 * request. It closes when the test ends.
 */
export const startApi = async (
  answer: ScriptedAnswer | ((line: string) => ScriptedAnswer) | 'never' = { json: anything },
  { isControlPlane = true }: { readonly isControlPlane?: boolean } = {},
): Promise<ApiServer> => {
  const requests: GotRequest[] = [];
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const reply = ({ status = 200, json, headers = {}, text: plain }: ScriptedAnswer): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(plain ?? JSON.stringify(json));
    };
    const isProbe = request.url?.endsWith('/v1/api-keys') === true && request.headers['x-gw-api-key'] === undefined;
    if (isControlPlane && isProbe && request.method === 'GET' && answer !== 'never') {
      reply(refusal);
      return;
    }
    const { 'x-gw-api-key': key, 'x-gw-workspace': workspace, 'x-gw-config': config } = request.headers;
    const line = `${request.method} ${request.url}`;
    requests.push({
      line,
      key: key?.toString(),
      workspace: workspace?.toString(),
      ...(config !== undefined && { config: config.toString() }),
      body: sent === '' ? undefined : JSON.parse(sent),
    });
    if (answer !== 'never') reply(typeof answer === 'function' ? answer(line) : answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
};

/** Gives a test its own environment: a home without profiles, and only these variables of the gateway. */
export const useEnvironment = (variables: Readonly<Record<string, string>> = {}): { readonly home: string } => {
  const home = temporaryFolder();
  const cleared = Object.keys(process.env).filter((name) => name.startsWith('GW_'));
  for (const name of cleared) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries({ HOME: home, ...variables })) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return { home };
};

export interface AskedApi extends GwRun {
  readonly requests: readonly GotRequest[];
}

/** Runs a command against a server with this answer, in a folder with these files. */
export const askApi = async (
  argv: readonly string[],
  {
    answer,
    files,
  }: {
    readonly answer?: ScriptedAnswer | ((line: string) => ScriptedAnswer);
    readonly files?: Readonly<Record<string, string | object>>;
  } = {},
): Promise<AskedApi> => {
  const api = await startApi(answer);
  useEnvironment({ GW_URL: api.url, GW_API_KEY: 'gw-test' });
  const run = await runGw(temporaryFolder(files), argv);
  return { ...run, requests: api.requests };
};
