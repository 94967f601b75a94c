import { isMissingPackage, MissingPackage } from '../../missing-package.ts';

/** The required OpenTelemetry packages, which operators install. */
export interface Packages {
  readonly api: typeof import('@opentelemetry/api');
  readonly trace: typeof import('@opentelemetry/sdk-trace');
  readonly metrics: typeof import('@opentelemetry/sdk-metrics');
  readonly resources: typeof import('@opentelemetry/resources');
  readonly exporters: typeof import('@opentelemetry/otlp-exporter-base/node-http');
  readonly transformer: typeof import('@opentelemetry/otlp-transformer');
  readonly metricExporter: typeof import('@opentelemetry/exporter-metrics-otlp-proto');
}

/** Their names, and the versions that are known to work. */
const wanted = {
  '@opentelemetry/api': '1',
  '@opentelemetry/sdk-trace': '3',
  '@opentelemetry/sdk-metrics': '3',
  '@opentelemetry/resources': '3',
  '@opentelemetry/otlp-exporter-base': '0.301',
  '@opentelemetry/otlp-transformer': '0.301',
  '@opentelemetry/exporter-metrics-otlp-proto': '0.301',
};

/** The command that installs them. */
export const installCommand: string = `npm install ${Object.entries(wanted)
  .map(([name, version]) => `${name}@${version}`)
  .join(' ')}`;

/**
 * Checks that they are installed, without loading them.
 *
 * @throws MissingPackage if one is not installed
 */
export const resolvePackages = (): void => {
  try {
    for (const name of Object.keys(wanted)) import.meta.resolve(name);
  } catch (error) {
    if (!isMissingPackage(error)) throw error;
    throw new MissingPackage(
      `"telemetry" in the gateway file needs packages of OpenTelemetry that are not installed. Run: ${installCommand}`,
    );
  }
};

/** Loads them. */
export const importPackages = async (): Promise<Packages> => {
  const [api, trace, metrics, resources, exporters, transformer, metricExporter] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/otlp-exporter-base/node-http'),
    import('@opentelemetry/otlp-transformer'),
    import('@opentelemetry/exporter-metrics-otlp-proto'),
  ]);
  return { api, trace, metrics, resources, exporters, transformer, metricExporter };
};
