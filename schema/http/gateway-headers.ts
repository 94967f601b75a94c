/** The headers that a typed plan module creates: the plan, its metadata, and the trace id. */
export type GatewayHeaders = {
  readonly 'x-gw-config': string;
  readonly 'x-gw-metadata': string;
  readonly 'x-gw-trace-id'?: string;
};
