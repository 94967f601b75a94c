import { createHash } from 'node:crypto';
import { indexOf, sections } from './pages.ts';

/** Returns the hashes of a page's inline scripts, in the format of a security policy. */
const scriptHashes = (html: string): readonly string[] =>
  [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );

/** Returns the policy of a page: no other hosts, no evaluated code. Inline styles are allowed: highlighted code uses them. */
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

const plainSections = (base: string): string =>
  sections
    .filter(([folder]) => indexOf(folder) !== undefined)
    .map(([folder, name]) => `<a href="${base}${folder}/index.html">${name}</a>`)
    .join(' ');

/** Hides the buttons without scripts, because all of them need one. */
const noButtons = '<noscript><style>button { display: none !important }</style></noscript>';

/** Adds the security policy to a page and, for browsers without scripts, links to the sections instead of the buttons. */
export const securePage = (html: string, base: string): string =>
  html
    .replace(
      '<meta charset="utf-8">',
      `$&\n    <meta http-equiv="Content-Security-Policy" content="${policyOf(html)}">\n    ${noButtons}`,
    )
    .replace(
      /<body>/,
      `$&\n    <noscript><nav class="plain-sections" aria-label="Documentation">${plainSections(base)}</nav></noscript>`,
    );
