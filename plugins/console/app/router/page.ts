import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icon.tsx';

export interface PageProps {
  /** The values of the `:name` parts of its path. */
  readonly params: Readonly<Record<string, string>>;
  /** The part of the address behind `?`; `setQuery` of the router changes it. */
  readonly query: URLSearchParams;
}

/** The headings of the navigation, in their order. */
export const groups = ['observe', 'route', 'access'] as const;

/** An action of a page that the palette of commands offers: the page is opened with a query that starts it. */
export interface PageCommand {
  readonly title: string;
  readonly scopes: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

export interface Page {
  /** Below `/console`, as `/keys` or `/requests/:id`. */
  readonly path: string;
  readonly title: string;
  /** The scopes that a key needs to see anything there: without all of them the page is not offered. */
  readonly scopes: readonly string[];
  /** Its place in the navigation; a page of one item has none. */
  readonly navigation?: { readonly group: (typeof groups)[number]; readonly icon: IconName };
  readonly commands?: readonly PageCommand[];
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
}
