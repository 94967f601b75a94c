import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { AnyRouteRow } from '../../../plugins/sdk/route/route-row.ts';
import { routeForm, routeFormErrors } from '../../../plugins/sdk/route/route-row-error.ts';
import { PluginError } from '../../engine/plugins/plugin-error.ts';
import { paramsSchema } from './read-params.ts';

/** The schemas of a route's input. Only that of a body that is not read may be absent. */
export interface InputSchemas {
  readonly params: ParameterSchema;
  readonly query: ParameterSchema;
  readonly body: ParameterSchema | undefined;
}

/** No members, so that every query parameter is an error. */
const noQuery: ParameterSchema = { type: 'object', properties: {}, additionalProperties: false };

const owned = (plugins: readonly Plugin[]): readonly { readonly by: string; readonly row: AnyRouteRow }[] =>
  plugins.flatMap(({ name, routes = [] }) => routes.map((row) => ({ by: `the plugin "${name}"`, row })));

/** Returns the routes of all plugins. Throws a `PluginError` that names the plugin of a route that cannot be served. */
export const toRows = (plugins: readonly Plugin[]): readonly AnyRouteRow[] => {
  const owners = new Map<string, string>();
  const all = owned(plugins);
  for (const { by, row } of all) {
    // Schemas are compiled when a request first needs them. Those of plugins from files were compiled when they were loaded.
    const errors = routeFormErrors(row);
    if (errors.length > 0)
      throw new PluginError(`The route ${row.operationId} of ${by} cannot be served: ${errors.join('; ')}.`);
    for (const name of [`route ${routeForm(row)}`, `operation "${row.operationId}"`]) {
      const other = owners.get(name);
      if (other !== undefined) throw new PluginError(`The ${name} is declared twice: by ${other}, and by ${by}.`);
      owners.set(name, by);
    }
  }
  return all.map(({ row }) => row);
};

export const inputSchemas = (row: AnyRouteRow): InputSchemas => ({
  params: paramsSchema(row),
  query: row.query ?? noQuery,
  body: typeof row.body === 'string' ? undefined : (row.body ?? undefined),
});
