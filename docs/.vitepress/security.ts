import { createHash } from 'node:crypto';
import { doors, indexOf } from './pages.ts';

/** The hashes of a page's inline scripts, as its security policy lists them. */
const scriptHashes = (html: string): readonly string[] =>
  [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );

/** The site asks no other host and evaluates no text; the colours of code are styles of its elements. */
const policyOf = (html: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(scriptHashes(html))].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

const plainDoors = (base: string): string =>
  doors
    .filter(([folder]) => indexOf(folder) !== undefined)
    .map(([folder, name]) => `<a href="${base}${folder}/index.html">${name}</a>`)
    .join(' ');

/** Each button of a page works by a script. */
const noButtons = '<noscript><style>button { display: none !important }</style></noscript>';

/** A page with its security policy; without scripts, with links to the doors in place of buttons that do nothing. */
export const securePage = (html: string, base: string): string =>
  html
    .replace(
      '<meta charset="utf-8">',
      `$&\n    <meta http-equiv="Content-Security-Policy" content="${policyOf(html)}">\n    ${noButtons}`,
    )
    .replace(
      /<body>/,
      `$&\n    <noscript><nav class="plain-doors" aria-label="Documentation">${plainDoors(base)}</nav></noscript>`,
    );
