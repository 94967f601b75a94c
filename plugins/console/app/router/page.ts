import type { ComponentType } from 'preact';
import type { IconName } from '../components/icon.tsx';

export interface PageProps {
  /** The values of the `:name` parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The part of the address after `?`. Change it with `setQuery` of the router. */
  readonly query: URLSearchParams;
}

/** The headings of the navigation, in order. */
export const groups = ['observe', 'route', 'access'] as const;

/** An action of a page in the command palette: opens the page with a query that starts the action. */
export interface PageCommand {
  readonly title: string;
  readonly scopes: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

export interface Page {
  /** The path below `/console`, such as `/keys` or `/requests/:id`. */
  readonly path: string;
  readonly title: string;
  /** The scopes that a key needs to view the page. Without all of them the page is not offered. */
  readonly scopes: readonly string[];
  /** The place in the navigation; absent for a page about a single item. */
  readonly navigation?: { readonly group: (typeof groups)[number]; readonly icon: IconName };
  readonly commands?: readonly PageCommand[];
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
}
