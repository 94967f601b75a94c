/** The kinds of plugins that `gw plugin new` creates, and what each adds to the gateway. */
export const pluginKinds = {
  provider: 'calls another service',
  dialect: 'supports another wire format',
  guardrail: 'checks requests and answers',
  cache: 'stores answers',
  policy: 'decides which requests are admitted',
  logger: 'writes a line for each request',
  sink: 'sends the log to a receiver',
} as const;

export type PluginKind = keyof typeof pluginKinds;

/** The values from which the files of a new plugin are created. */
export interface NewPlugin {
  /** The name of the package. */
  readonly name: string;
  readonly kind: PluginKind;
  /** The name without scope and prefix, for ids: `acme` of `@team/gatewright-plugin-acme`. */
  readonly id: string;
  /** The version of this package. */
  readonly gatewright: string;
  /** The version of the plugin SDK. */
  readonly sdk: string;
}

/** The files of a kind: source and test, by their names. */
export interface KindFiles {
  readonly source: string;
  readonly test: string;
  /** Members of the plugin's definition, which `src/index.ts` exports. */
  readonly index: string;
  readonly hooks?: readonly string[];
  readonly hosts?: readonly string[];
  /** How a config or a gateway file uses it. */
  readonly use: { readonly text: string; readonly json: object };
}
