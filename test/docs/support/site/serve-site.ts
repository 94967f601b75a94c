import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

export interface ServedSite {
  readonly origin: string;
  close(): void;
}

/** Serves the files of a folder below a base path as any file server does, with no special rule except for `index.html`. */
export const serveSite = async (folder: string, base: string): Promise<ServedSite> => {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = path.join(folder, decodeURIComponent(pathname.slice(base.length - 1)).replace(/\/$/, '/index.html'));
    const body = pathname.startsWith(base) ? await readFile(file).catch(() => undefined) : undefined;
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': types[path.extname(file)] ?? 'text/plain' });
    response.end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return { origin: `http://127.0.0.1:${address.port}`, close: () => void server.close() };
};
