import { randomUUID } from 'node:crypto';
import { percentDecoded } from '../../../../schema/text/percent-decoded.ts';
import { longestValue } from '../records/records.ts';
import type { ThreadSettings } from './messages.ts';
import type { Packages } from './packages.ts';

export interface ResourceOptions extends Pick<ThreadSettings, 'serviceName' | 'serviceVersion'> {
  readonly resources: Pick<Packages['resources'], 'defaultResource'>;
  readonly env: NodeJS.ProcessEnv;
  /** Notifies the operator. */
  readonly log: (text: string) => void;
}

export type ResourceAttributes = Readonly<Record<string, string>>;

/** Reads an attribute of the list, or returns what is wrong with it. */
const readEntry = (entry: string): readonly [key: string, value: string] | string => {
  const parts = entry.split('=');
  if (parts.length === 1) return 'has no equals sign';
  if (parts.length > 2) return 'has more than one equals sign';
  const [key, value] = parts.map((part) => percentDecoded(part.trim()));
  if (key === undefined || value === undefined) return 'has a percent sign that begins no encoded character';
  return key === '' ? 'has no key before its equals sign' : [key, value];
};

const variable = 'OTEL_RESOURCE_ATTRIBUTES';

/**
 * Reads the attributes in the environment. A list with a mistake is ignored completely, as OpenTelemetry requires:
 * https://opentelemetry.io/docs/specs/otel/resource/sdk/#specifying-resource-information-via-an-environment-variable
 */
const readVariable = ({ env, log }: ResourceOptions): ResourceAttributes => {
  const entries = (env[variable] ?? '').split(',').map((entry) => entry.trim());
  const attributes: [string, string][] = [];
  for (const [at, entry] of entries.entries()) {
    if (entry === '') continue;
    const read = readEntry(entry);
    if (typeof read === 'string') {
      log(
        `${variable} is ignored, because entry ${at + 1} of it ${read}. Write key=value pairs with commas between them, and commas, equals signs and percent signs in keys and values as %2C, %3D and %25.`,
      );
      return {};
    }
    attributes.push([read[0], read[1].slice(0, longestValue)]);
  }
  return Object.fromEntries(attributes);
};

const sdkAttributes = ({ resources }: ResourceOptions): ResourceAttributes =>
  Object.fromEntries(
    Object.entries(resources.defaultResource().attributes).flatMap(([key, value]) =>
      key.startsWith('telemetry.sdk.') ? [[key, String(value)] as const] : [],
    ),
  );

/**
 * Describes this process to receivers: https://opentelemetry.io/docs/specs/semconv/resource/. The environment overrides what is
 * known here, and the gateway file overrides the environment.
 */
export const resourceAttributes = (options: ResourceOptions): ResourceAttributes => {
  const { serviceName, serviceVersion, env } = options;
  const named = serviceName ?? env.OTEL_SERVICE_NAME;
  return {
    ...sdkAttributes(options),
    'service.name': 'gatewright',
    'service.version': serviceVersion,
    'service.instance.id': randomUUID(),
    ...readVariable(options),
    ...(named ? { 'service.name': named } : {}),
  };
};
