import type { PluginReport, ProvidedRoute } from '../../../plugins/sdk/plugin/plugin-report.ts';

const namedList = (lists: { readonly [word: string]: readonly string[] }): string => {
  const shown = Object.entries(lists).filter(([, names]) => names.length > 0);
  return shown.length === 0 ? 'none' : shown.map(([word, names]) => `${word} ${names.join(', ')}`).join('; ');
};

/** Describes a route with the scope that the caller's key needs: `GET /notes (notes.list)`. */
const routeText = ({ method, path, scope }: ProvidedRoute): string => `${method} ${path} (${scope ?? 'any key'})`;

export interface PluginFacts extends Omit<PluginReport, 'faults'> {
  readonly more?: readonly (readonly [label: string, value: string])[];
}

/** Describes a plugin in a few lines of text. */
export const pluginText = ({
  name,
  version,
  sdk,
  provides,
  permissions,
  integrity,
  more = [],
}: PluginFacts): string => {
  const { hosts, environment, hooks } = permissions;
  const facts: readonly (readonly [string, string])[] = [
    ['provides', namedList({ ...provides, routes: provides.routes.map(routeText) })],
    ['permissions', namedList({ hosts, environment, hooks })],
    ['made for', sdk === undefined ? 'any version, since its package.json names no range' : sdk],
    ['integrity', integrity],
    ...more,
  ];
  const width = Math.max(...facts.map(([label]) => label.length));
  const lines = facts.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
  return [`${name}${version === undefined ? '' : ` ${version}`}`, ...lines, ''].join('\n');
};
