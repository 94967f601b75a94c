import { signal } from '@preact/signals';

/** The path of the console; all its pages are below it. */
const base = '/console';

export interface Place {
  /** The path below `/console`, with a slash at its start and none at its end: `/keys`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const readPlace = (): Place => ({
  path: window.location.pathname.slice(base.length).replace(/\/+$/, '') || '/',
  query: new URLSearchParams(window.location.search),
});

/** The current address. Components that read it are rendered again when it changes. */
export const place = signal<Place>(readPlace());

/** Returns the address of a page's path, for links: `<a href={toHref('/keys')}>`. */
export const toHref = (path: string, query?: URLSearchParams): string => {
  const search = query?.toString() ?? '';
  return `${base}${path}${search === '' ? '' : `?${search}`}`;
};

/** Opens another page, like a link. */
export const navigate = (
  path: string,
  { query, replace = false }: { readonly query?: URLSearchParams; readonly replace?: boolean } = {},
): void => {
  const href = toHref(path, query);
  if (replace) window.history.replaceState(null, '', href);
  else window.history.pushState(null, '', href);
  place.value = readPlace();
};

/** Changes members of the query, so that the view of a page can be shared as a link. Removes empty and undefined members. */
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

/** Makes links to pages of the console change the address without a reload, and follows the browser's history. */
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
    // A link within the page, such as `#content`.
    if (url.hash !== '' && url.pathname === window.location.pathname && url.search === window.location.search) return;
    event.preventDefault();
    navigate(url.pathname.slice(base.length) || '/', { query: url.searchParams });
  });
};
