import type { Registry } from 'prom-client';
import { definePlugin, type Plugin } from '../../sdk/plugin/plugin.ts';
import { isMissingPackage, MissingPackage } from '../missing-package.ts';
import { Families, prefix } from './families.ts';
import { gatewayFamilies, type ProcessFacts } from './gateway-families.ts';
import { type TapOptions, tapHooks } from './tap-hooks.ts';

type PromClient = typeof import('prom-client');

export type MetricsOptions = ProcessFacts & TapOptions;

/** The metrics in the text format of Prometheus. */
export interface MetricsText {
  readonly type: string;
  readonly text: string;
}

/** The metrics of one gateway: the plugin that counts, and the page that reports them. */
export interface Metrics {
  readonly plugin: Plugin;
  read(): Promise<MetricsText>;
}

/** @throws MissingPackage */
const importClient = async (): Promise<PromClient> => {
  try {
    return (await import('prom-client')).default;
  } catch (error) {
    if (!isMissingPackage(error)) throw error;
    throw new MissingPackage(
      '"metrics" in the gateway file needs the package prom-client, which is not installed. Run: npm install prom-client@15',
    );
  }
};

/**
 * Removes gauges that are named like counters. They are sums of others, such as `nodejs_active_handles`:
 * https://prometheus.io/docs/practices/naming/
 */
const removeTotalGauges = (registry: Registry): void => {
  for (const { name, type } of registry.getMetricsAsArray())
    if (String(type) === 'gauge' && name.endsWith('_total')) registry.removeSingleMetric(name);
};

/**
 * Creates the metrics of one gateway, including those of its process.
 *
 * @throws MissingPackage
 */
export const createMetrics = async (options: MetricsOptions): Promise<Metrics> => {
  const client = await importClient();
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry, prefix });
  removeTotalGauges(registry);
  const own = new Families();
  const families = gatewayFamilies(own, options);
  return {
    plugin: definePlugin({ name: 'gatewright/metrics', apply: (hooks) => tapHooks(hooks, families, options) }),
    read: async () => ({ type: registry.contentType, text: `${await registry.metrics()}\n${own.text()}` }),
  };
};
