import type { AnyRouteRow } from '../route/route-row.ts';
import type { PluginPermissions } from './plugin.ts';

/** A route of a plugin, without its behaviour. */
export type ProvidedRoute = Pick<AnyRouteRow, 'method' | 'path' | 'operationId' | 'scope'>;

/** The results of `gw plugin verify` for a plugin. */
export interface PluginReport {
  readonly name: string;
  readonly version?: string;
  /** The range of SDK versions that the plugin supports. */
  readonly sdk?: string;
  readonly provides: {
    readonly providers: readonly string[];
    readonly dialects: readonly string[];
    readonly checks: readonly string[];
    readonly caches: readonly string[];
    readonly choosers: readonly string[];
    readonly sinks: readonly string[];
    readonly routes: readonly ProvidedRoute[];
  };
  readonly permissions: Required<PluginPermissions>;
  /** `sha256:` and the hash of its files. */
  readonly integrity: string;
  /** The errors found, one sentence each. */
  readonly faults: readonly string[];
}
