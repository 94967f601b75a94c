import type { GatewayFile } from '../../../../schema/generated/gateway-file.ts';

/** The settings of the log in the gateway file. */
export interface LogSettings {
  /** Whether bodies of requests and responses are stored, sealed. */
  readonly bodies: boolean;
  /** The maximum number of stored bytes of one body. */
  readonly bodyBytes: number;
  /** JSON Pointers of what is removed from bodies; `*` stands for any member or item. */
  readonly redact: readonly string[];
  /** The names of the stored request headers, in lower case. */
  readonly headers: readonly string[];
  readonly keepDays: number;
  readonly keepMb: number;
}

/** The settings if the gateway file sets nothing for the log. */
export const defaultLogSettings: LogSettings = {
  bodies: false,
  bodyBytes: 65_536,
  redact: [],
  headers: [],
  keepDays: 30,
  keepMb: 1024,
};

/** Reads the settings of the gateway file, and fills in the defaults. */
export const toLogSettings = (log: Exclude<GatewayFile['log'], boolean> = {}): LogSettings => ({
  bodies: log.bodies ?? defaultLogSettings.bodies,
  bodyBytes: log.body_bytes ?? defaultLogSettings.bodyBytes,
  redact: log.redact ?? defaultLogSettings.redact,
  headers: (log.headers ?? defaultLogSettings.headers).map((name) => name.toLowerCase()),
  keepDays: log.keep_days ?? defaultLogSettings.keepDays,
  keepMb: log.keep_mb ?? defaultLogSettings.keepMb,
});
