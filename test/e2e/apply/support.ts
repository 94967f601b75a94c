import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onTestFinished, vi } from 'vitest';
import { type GwRun, runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';

/** Writes files into a folder, a new one by default. Strings are written as they are, other values as JSON. */
export const writeFiles = (files: Readonly<Record<string, unknown>>, folder: string = temporaryFolder()): string => {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  return folder;
};

/** The texts of all files below a folder, by their paths. */
export const readFiles = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(path.join(folder, name)).isFile())
      .sort()
      .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  );

/** Runs `gw` for a gateway, in a folder. */
export const gwFor = async (
  gateway: Pick<GatewayProcess, 'origin'>,
  cwd: string,
  argv: readonly string[],
  key: string = adminKey,
): Promise<GwRun> => {
  vi.stubEnv('GW_URL', gateway.origin);
  vi.stubEnv('GW_API_KEY', key);
  return runGw(cwd, argv);
};

/** The number of records in the audit log. */
export const countAudits = async (gateway: Pick<GatewayProcess, 'baseUrl'>): Promise<number> => {
  const { total = 0 } = (await control(gateway, 'GET /audit-logs')) as { readonly total?: number };
  return total;
};

/** The service keys in a file, by their names. */
export const readKeys = (file: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );

/**
 * A relay in front of a gateway. It answers a request with the status that `answer` returns or resolves to, and forwards the
 * request if there is none.
 */
export const startRelay = async (
  gateway: Pick<GatewayProcess, 'origin'>,
  answer: (method: string, route: string) => number | undefined | Promise<undefined>,
): Promise<{ readonly origin: string }> => {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const status = await answer(method, url);
    if (status !== undefined) return response.writeHead(status).end();
    const body = await buffer(request);
    const { host: _host, connection: _connection, 'content-length': _length, ...sent } = headers;
    const got = await fetch(`${gateway.origin}${url}`, {
      ...{ method, headers: sent as Record<string, string> },
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    });
    const text = await got.text();
    const etag = got.headers.get('etag');
    response.writeHead(got.status, {
      'content-type': got.headers.get('content-type') ?? 'application/json',
      ...(etag === null ? {} : { etag }),
    });
    return response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};
