import { createMetrics } from '../../plugins/telemetry/metrics/create-metrics.ts';
import { type DeclaredFamily, Families } from '../../plugins/telemetry/metrics/families.ts';
import { gatewayFamilies } from '../../plugins/telemetry/metrics/gateway-families.ts';

const none = (): number => 0;
const noSinks = (): readonly [] => [];
const allParts = (): ReadonlySet<never> => new Set();
const noLimits = { status: () => ({ admitted: 1, targets: [] }), counts: noSinks };

/** Returns the metrics that describe the process, without those in `own`. */
const processFamilies = async (own: readonly DeclaredFamily[]): Promise<readonly DeclaredFamily[]> => {
  const { read } = await createMetrics({
    inFlight: none,
    droppedRecords: none,
    sinks: noSinks,
    now: none,
    tokens: 'none',
  });
  const { text } = await read();
  const helps = new Map([...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => [name, help]));
  return [...text.matchAll(/^# TYPE (\S+) (counter|gauge|histogram)$/gm)].flatMap(([, name = '', type]) =>
    own.some((family) => family.name === name)
      ? []
      : [
          {
            ...{ name, labels: [], help: helps.get(name) ?? '' },
            type: type === 'histogram' ? type : type === 'counter' ? type : 'gauge',
          },
        ],
  );
};

/** Returns every metric that a gateway can serve, with its labels, as declared by the code. */
export const declaredMetrics = async (): Promise<readonly DeclaredFamily[]> => {
  const families = new Families();
  gatewayFamilies(families, {
    ...{ inFlight: none, droppedRecords: none, sinks: noSinks },
    ...{ unavailableParts: allParts, overload: noLimits },
  });
  return [...families.declared, ...(await processFamilies(families.declared))];
};

/** Returns the full name of a metric. Throws if no gateway has the metric. */
export type MetricName = (short: string) => string;

/** Looks up the names that queries may use: those of the metrics and of the parts of histograms. */
export const metricNames = (declared: readonly DeclaredFamily[]): MetricName => {
  const names = new Set(
    declared.flatMap(({ name, type }) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  return (short) => {
    const name = `gatewright_${short}`;
    if (names.has(name)) return name;
    throw new Error(`Gateways do not serve the metric ${name}.`);
  };
};
