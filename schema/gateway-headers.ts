/** The headers that a typed plan module makes: which plan, with what metadata, under which trace id. */
export type GatewayHeaders = {
  readonly 'x-gw-config': string;
  readonly 'x-gw-metadata': string;
  readonly 'x-gw-trace-id'?: string;
};
