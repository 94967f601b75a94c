import { signal } from '@preact/signals';

/** Everything of the console is below it. */
const base = '/console';

export interface Place {
  /** Below `/console`, with a slash at its start and none at its end: `/keys`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const readPlace = (): Place => ({
  path: window.location.pathname.slice(base.length).replace(/\/+$/, '') || '/',
  query: new URLSearchParams(window.location.search),
});

/** The page's address, which components follow by reading it. */
export const place = signal<Place>(readPlace());

/** The address of a path of a page, for links: `<a href={toHref('/keys')}>`. */
export const toHref = (path: string, query?: URLSearchParams): string => {
  const search = query?.toString() ?? '';
  return `${base}${path}${search === '' ? '' : `?${search}`}`;
};

/** Opens another page, as a link does. */
export const navigate = (
  path: string,
  { query, replace = false }: { readonly query?: URLSearchParams; readonly replace?: boolean } = {},
): void => {
  const href = toHref(path, query);
  if (replace) window.history.replaceState(null, '', href);
  else window.history.pushState(null, '', href);
  place.value = readPlace();
};

/** Changes members of the query in place: what a page shows can then be sent as a link. Empty and undefined ones are removed. */
export const setQuery = (
  changes: Readonly<Record<string, string | undefined>>,
  { push = false }: { readonly push?: boolean } = {},
): void => {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, value);
  }
  navigate(place.value.path, { query, replace: !push });
};

/** Lets links to pages of the console change the address without loading it anew, and follows the browser's history. */
export const followLinks = (): void => {
  window.addEventListener('popstate', () => {
    place.value = readPlace();
  });
  document.addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.target !== '' || link.hasAttribute('download')) return;
    const url = new URL(link.href, window.location.href);
    if (url.origin !== window.location.origin) return;
    if (url.pathname !== base && !url.pathname.startsWith(`${base}/`)) return;
    // Within the page: `#content`.
    if (url.hash !== '' && url.pathname === window.location.pathname && url.search === window.location.search) return;
    event.preventDefault();
    navigate(url.pathname.slice(base.length) || '/', { query: url.searchParams });
  });
};
