import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { toObjects, toTexts } from '../../../schema/json/loose.ts';
import type { KeyScope } from '../../sdk/exchange/exchange.ts';
import type { PluginReport } from '../../sdk/plugin/plugin-report.ts';
import type { ControlPath } from '../../sdk/route/route-row.ts';
import { routeMethods } from '../../sdk/route/route-row-error.ts';

/** A process's report on a plugin. */
export interface ChildReport extends Omit<PluginReport['provides'], 'providers'> {
  readonly name?: string;
  readonly permissions?: Json;
  /** The providers; `speaks` has the ids of their dialects. */
  readonly providers: readonly {
    readonly id: string;
    readonly aliases: readonly string[];
    readonly speaks: readonly string[];
  }[];
  /** Absent if it is not known which hooks the plugin taps. */
  readonly hooks?: readonly string[];
  readonly errors: readonly string[];
}

const readProviders = (value: Json | undefined): ChildReport['providers'] =>
  toObjects(value).map(({ id, aliases, speaks }) => ({
    id: String(id),
    aliases: toTexts(aliases),
    speaks: toTexts(speaks),
  }));

const isPath = (path: string): path is ControlPath => path.startsWith('/');
const isScope = (scope: string): scope is KeyScope => /^\w+\.\w+$/.test(scope);

const readRoutes = (value: Json | undefined): ChildReport['routes'] =>
  toObjects(value).flatMap(({ method, path, operationId, scope }) => {
    const known = routeMethods.find((each) => each === method);
    if (known === undefined || typeof path !== 'string' || !isPath(path)) return [];
    const needed = typeof scope === 'string' && isScope(scope) ? scope : null;
    return [{ method: known, path, operationId: String(operationId), scope: needed }];
  });

/** Creates the report of a plugin about which nothing else is known. */
export const faultReport = (error: string): ChildReport => ({
  providers: [],
  dialects: [],
  checks: [],
  caches: [],
  choosers: [],
  sinks: [],
  routes: [],
  errors: [error],
});

/** Reads a report. The plugin ran in the process that wrote it, so the report must not be trusted. */
export const readReport = (value: unknown): ChildReport => {
  if (!isJsonObject(value)) return faultReport('Its process sent no report.');
  return {
    ...(typeof value.name === 'string' && { name: value.name }),
    ...(value.permissions !== undefined && { permissions: value.permissions }),
    providers: readProviders(value.providers),
    dialects: toTexts(value.dialects),
    checks: toTexts(value.checks),
    caches: toTexts(value.caches),
    choosers: toTexts(value.choosers),
    sinks: toTexts(value.sinks),
    routes: readRoutes(value.routes),
    ...(value.hooks !== undefined && { hooks: toTexts(value.hooks) }),
    errors: toTexts(value.errors),
  };
};
