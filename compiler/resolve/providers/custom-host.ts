/** A base URL as plans contain it, or the reason why the text is not one, as the end of a sentence. */
export type CustomHost =
  | { readonly ok: true; readonly baseUrl: string; readonly origin: string }
  | { readonly ok: false; readonly why: string };

const longest = 2048;
const maxLabels = 10;

const refuse = (why: string): CustomHost => ({ ok: false, why });

const hostProblem = (authority: string, url: URL): string | undefined => {
  const host = authority.replace(/:\d*$/, '').toLowerCase();
  if (host.startsWith('[')) return undefined;
  // Names of container services may have underscores, although host names in DNS may not.
  if (!/^[a-z0-9._-]+$/.test(host)) return 'the host has a character that host names cannot have';
  if (host.includes('..')) return 'the host has two dots in a row';
  if (host.endsWith('.')) return 'the host ends with a dot';
  if (host.split('.').length > maxLabels) return 'the host has too many parts';
  return host === url.hostname ? undefined : 'the address is written in an unusual way';
};

/**
 * Parses a base URL: http or https, without credentials, query or fragment. Whether its address may be called is decided for each
 * connection, by the address that is dialled.
 */
export const customHost = (text: string): CustomHost => {
  if (text === '') return refuse('it is empty');
  if (text.length > longest) return refuse(`it is longer than ${longest} characters`);
  if (/[\s\p{Cc}\\]/u.test(text)) return refuse('it has a blank, a control character or a backslash');
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1];
  if (authority === undefined) return refuse('it does not begin with http:// or https://');
  if (/^https?:?$/i.test(authority)) return refuse('it starts with http:// or https:// twice');
  if (text.includes('@')) return refuse('it contains credentials');
  if (/[?#]/.test(text)) return refuse('it has a query or a fragment');
  if (!URL.canParse(text)) return refuse('it cannot be read as a URL');
  const url = new URL(text);
  if (url.port === '0') return refuse('there is no port 0');
  const why = hostProblem(authority, url);
  if (why !== undefined) return refuse(why);
  return { ok: true, origin: url.origin, baseUrl: `${url.origin}${url.pathname}`.replace(/\/+$/, '') };
};
