import type { GatewayFile } from '../../../../schema/generated/gateway-file.ts';

/** What the gateway file says of the log. */
export interface LogSettings {
  /** Whether bodies of requests and answers are kept, sealed. */
  readonly bodies: boolean;
  /** The most bytes that are kept of one body. */
  readonly bodyBytes: number;
  /** JSON Pointers of what is taken out of bodies; `*` stands for any member or item. */
  readonly redact: readonly string[];
  /** Names, in lower case, of the request headers that are kept. */
  readonly headers: readonly string[];
  readonly keepDays: number;
  readonly keepMb: number;
}

/** What holds where the gateway file says nothing. */
export const defaultLogSettings: LogSettings = {
  bodies: false,
  bodyBytes: 65_536,
  redact: [],
  headers: [],
  keepDays: 30,
  keepMb: 1024,
};

/** The settings that the gateway file says, and the usual ones for the rest. */
export const toLogSettings = (log: Exclude<GatewayFile['log'], boolean> = {}): LogSettings => ({
  bodies: log.bodies ?? defaultLogSettings.bodies,
  bodyBytes: log.body_bytes ?? defaultLogSettings.bodyBytes,
  redact: log.redact ?? defaultLogSettings.redact,
  headers: (log.headers ?? defaultLogSettings.headers).map((name) => name.toLowerCase()),
  keepDays: log.keep_days ?? defaultLogSettings.keepDays,
  keepMb: log.keep_mb ?? defaultLogSettings.keepMb,
});
