import { ownModule } from '../../../plugins/sdk/loading/own-module.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import { systemClock } from '../../in-memory/system-clock.ts';
import type { CountedTokens, TelemetryOptions } from '../services/telemetry.ts';
import { isSecretRef, type SecretReader } from './secret-reader.ts';
import { ServeFailure } from './serve-failure.ts';

export interface MetricsSettings {
  readonly tokens: CountedTokens;
  /** A separate port for metrics. If absent, the gateway's own is used. */
  readonly own?: { readonly host: string; readonly port: number };
}

const countedTokens = (tokens: boolean | undefined): CountedTokens => {
  if (tokens === undefined) return 'known';
  return tokens ? 'all' : 'none';
};

/** Collects the gateway file's settings for metrics. Undefined if there are none. */
export const metricsSettings = ({ metrics }: GatewayFile): MetricsSettings | undefined => {
  if (metrics === undefined || metrics === false) return undefined;
  const { tokens, port, host = '127.0.0.1' } = metrics === true ? {} : metrics;
  return { tokens: countedTokens(tokens), ...(port === undefined ? {} : { own: { host, port } }) };
};

const answerReaderModule = ownModule('runtime/usage/answer-reader');

const resolved = (text: string, named: string, read: SecretReader): string => {
  if (!isSecretRef(text)) return text;
  const value = read(text);
  if (value !== undefined) return value;
  throw new ServeFailure(`"${named}" in the gateway file refers to ${text}, which is not set. Set it, or remove it.`);
};

const baseUrl = (given: string, read: SecretReader): string => {
  const url = resolved(given, 'telemetry.otlp.url', read).replace(/\/+$/, '');
  const named = `The value of "telemetry.otlp.url" in the gateway file (${given})`;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new ServeFailure(`${named} is not a URL of a receiver: it must begin with http:// or https://.`);
  const [signal] = /\/v1\/(?:traces|metrics)$/.exec(url) ?? [];
  if (signal === undefined) return url;
  throw new ServeFailure(
    `${named} ends in ${signal}, but it must be the base URL, to which the gateway adds /v1/traces and /v1/metrics. Remove ${signal} from its end.`,
  );
};

/** Collects the gateway file's settings for telemetry, with references resolved. Throws a `ServeFailure`. */
export const telemetrySettings = (
  { telemetry, prices = {} }: GatewayFile,
  read: SecretReader,
): Omit<TelemetryOptions, 'log'> | undefined => {
  if (telemetry === undefined) return undefined;
  const { otlp, service_name: serviceName, traces = true, metrics = true, sample_ratio } = telemetry;
  const headers = Object.entries(otlp.headers ?? {}).map(([name, value]) => [
    name,
    resolved(value, `telemetry.otlp.headers.${name}`, read),
  ]);
  return {
    url: baseUrl(otlp.url, read),
    headers: Object.fromEntries(headers),
    serviceName,
    traces,
    metrics,
    sampleRatio: sample_ratio ?? 1,
    timeOrigin: systemClock.wall() - systemClock.monotonic(),
    now: systemClock.monotonic,
    reading: { module: answerReaderModule.href, prices },
  };
};
