import type { PluginPermissions } from './plugin.ts';

/** What `gw plugin verify` found of a plugin. */
export interface PluginReport {
  readonly name: string;
  readonly version?: string;
  /** The range of SDK versions that it works with. */
  readonly sdk?: string;
  readonly provides: {
    readonly providers: readonly string[];
    readonly dialects: readonly string[];
    readonly checks: readonly string[];
    readonly caches: readonly string[];
  };
  readonly permissions: Required<PluginPermissions>;
  /** `sha256:` and the hash of its files. */
  readonly integrity: string;
  /** What is wrong with it, a sentence each. */
  readonly faults: readonly string[];
}
