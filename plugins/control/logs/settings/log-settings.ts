import type { GatewayFile } from '../../../../schema/generated/gateway-file.ts';

/** The settings of the log in the gateway file. */
export interface LogSettings {
  /** True if bodies of requests and answers are stored, sealed. */
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

/** The settings of a gateway file that says nothing of the log. */
export const defaultLogSettings: LogSettings = {
  bodies: false,
  bodyBytes: 65_536,
  redact: [],
  headers: [],
  keepDays: 30,
  keepMb: 1024,
};

/** Reads the settings of the gateway file, with the default ones for the rest. */
export const toLogSettings = (log: Exclude<GatewayFile['log'], boolean> = {}): LogSettings => ({
  bodies: log.bodies ?? defaultLogSettings.bodies,
  bodyBytes: log.body_bytes ?? defaultLogSettings.bodyBytes,
  redact: log.redact ?? defaultLogSettings.redact,
  headers: (log.headers ?? defaultLogSettings.headers).map((name) => name.toLowerCase()),
  keepDays: log.keep_days ?? defaultLogSettings.keepDays,
  keepMb: log.keep_mb ?? defaultLogSettings.keepMb,
});
