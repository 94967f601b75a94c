import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { closestName } from '../../../schema/text/closest-name.ts';
import { gatewayPrefix } from '../../engine/forwarded-headers/header-class.ts';
import { headerTable, unservedRows } from './header-table.ts';
import { reservedHeaders } from './reserved-headers.ts';

const maxNameLength = 64;

/** The headers with the gateway's prefix that clients may send. Names are in lower case. */
export interface KnownHeaders {
  readonly names: ReadonlySet<string>;
  has(name: string): boolean;
  /** Returns the known header that a misspelt one was most likely meant to be. */
  closest(name: string): string | undefined;
}

const declaredBy = ({ routes = [], dialects = [], providers = [] }: Plugin): readonly string[] => [
  ...routes.flatMap(({ headers }) => Object.keys(headers?.properties ?? {})),
  ...dialects.flatMap(({ clientCredentials }) => clientCredentials?.headers ?? []),
  ...providers.flatMap(({ clientHeaders = [] }) => clientHeaders),
];

/** Returns the headers of the header table, those that plugins declare, and those that are reserved or refused. */
export const knownHeaders = (plugins: readonly Plugin[]): KnownHeaders => {
  const read = [...headerTable, ...unservedRows].map(({ name }) => name);
  const all = [...read, ...plugins.flatMap(declaredBy), ...reservedHeaders];
  const names = new Set(all.map((name) => name.toLowerCase()).filter((name) => name.startsWith(gatewayPrefix)));
  // With the prefix, all of them would be similar.
  const rests = [...names].map((name) => name.slice(gatewayPrefix.length));
  return {
    names,
    has: (name) => names.has(name),
    closest: (name) => {
      if (name.length > maxNameLength) return undefined;
      const near = closestName(name.slice(gatewayPrefix.length), rests);
      return near === undefined ? undefined : gatewayPrefix + near;
    },
  };
};
