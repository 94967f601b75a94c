import { childPointer, rootPointer } from '../../schema/json/pointer.ts';
import type { SavedProblem } from './check-saved.ts';

/** Matches an origin with any scheme, such as those of extensions and of apps in web views: `capacitor://localhost`. */
const anyOrigin = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*]+$/;

/** Returns the origin of a page of the web. Undefined if a text is no address of one. */
const webOrigin = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
};

/** Returns the origin that a text probably means: one without its scheme, or an address of a page. */
const meantOrigin = (text: string): string | undefined => {
  if (text.includes('://')) return webOrigin(text);
  return webOrigin(`${/^(?:localhost|127\.|\[::1\])/.test(text) ? 'http' : 'https'}://${text}`);
};

const findHint = (text: string): string => {
  if (text.includes('*')) return 'Patterns are not read: list each origin by itself, or write "*" for all pages.';
  if (text === 'null') return 'Any page can have it. Remove it, or write "*" for all pages.';
  const meant = meantOrigin(text);
  return `Write ${JSON.stringify(meant ?? 'https://app.example.com')}${meant === undefined ? ', for instance' : ''}.`;
};

const isOrigin = (text: string): boolean =>
  text === '*' || (anyOrigin.test(text) && (webOrigin(text) ?? text) === text);

/** Checks the gateway file's `cors.origins` beyond their shape. */
export const checkOrigins = (origins: readonly string[]): readonly SavedProblem[] =>
  origins.flatMap((origin, index) =>
    isOrigin(origin)
      ? []
      : [
          {
            code: 'invalid-origin',
            pointer: childPointer(rootPointer, 'cors', 'origins', index),
            message: `${JSON.stringify(origin)} is not the origin of a page.`,
            hint: findHint(origin),
          },
        ],
  );
