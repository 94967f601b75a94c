import { fileURLToPath } from 'node:url';
import type { ConsolePage, ReadConsolePage } from '../../sdk/control-plane/console-pages.ts';
import { headerValue, type RawHeaders } from '../../sdk/http/http.ts';
import { codeFolder } from '../../sdk/loading/own-module.ts';
import { consolePath } from '../../sdk/route/route-path.ts';
import { type BuiltFile, builtFiles, type Coding, codings } from './built-files.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "worker-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The security headers of every page and file: nothing is loaded from other hosts, and no other page can access this one. */
const securityHeaders: RawHeaders = [
  ...['content-security-policy', policy],
  ...['x-content-type-options', 'nosniff'],
  ...['x-frame-options', 'DENY'],
  ...['referrer-policy', 'no-referrer'],
  ...['cross-origin-opener-policy', 'same-origin'],
  ...['cross-origin-resource-policy', 'same-origin'],
  ...['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
];

const unbuilt: ConsolePage = {
  status: 503,
  type: 'text/plain; charset=utf-8',
  text: 'The console is not built. Run "npm run build:console" in the folder of the sources, and load this page again.\n',
  headers: [...securityHeaders, 'cache-control', 'no-store'],
};

const unchanged = (etag: string): ConsolePage => ({
  status: 304,
  type: '',
  text: '',
  headers: [...securityHeaders, 'etag', etag, 'cache-control', 'no-cache'],
});

/** Finds the best coding of a file that a browser accepts (RFC 9110 §12.5.3). */
const findCoding = ({ compressed }: BuiltFile, accepted: string): Coding | undefined => {
  const taken = new Set(
    accepted.split(',').flatMap((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
      return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [name];
    }),
  );
  return (Object.keys(codings) as Coding[]).find((coding) => taken.has(coding) && compressed.has(coding));
};

const cacheControl = (name: string, { isHashed }: BuiltFile): string => {
  if (name === 'index.html') return 'no-store';
  return isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
};

const toPage = (name: string, file: BuiltFile, headers: RawHeaders): ConsolePage => {
  const isKept = name !== 'index.html';
  if (isKept && headerValue(headers, 'if-none-match') === file.etag) return unchanged(file.etag);
  const coding = findCoding(file, headerValue(headers, 'accept-encoding') ?? '');
  return {
    status: 200,
    type: file.type,
    text: (coding === undefined ? undefined : file.compressed.get(coding)) ?? file.bytes,
    headers: [
      ...securityHeaders,
      ...['cache-control', cacheControl(name, file), 'vary', 'accept-encoding'],
      ...(isKept ? ['etag', file.etag] : []),
      ...(coding === undefined ? [] : ['content-encoding', coding]),
    ],
  };
};

/** Whether a path is a page of the console. Files have an extension in the last segment; the page resolves all other paths. */
const isPagePath = (name: string): boolean => !/\.[^/]*$/.test(name) && !name.startsWith('assets/');

/** Serves the files of the built console from a folder: beside the code of the package, or the build folder of a clone. */
export const consolePages = (
  folder: string = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? 'dist/console' : 'console', codeFolder)),
): ReadConsolePage => {
  const find = builtFiles(folder);
  return async ({ path, headers }) => {
    const findFile = await find();
    if (findFile === undefined) return unbuilt;
    const name = path.slice(consolePath.length + 1);
    const file = await findFile(name);
    if (file !== undefined) return toPage(name, file, headers);
    if (!isPagePath(name)) return undefined;
    const index = await findFile('index.html');
    return index !== undefined ? toPage('index.html', index, headers) : undefined;
  };
};
