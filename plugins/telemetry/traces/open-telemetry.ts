import type { Plugin } from '../../sdk/plugin.ts';
export const openTelemetry = async (_: unknown): Promise<Plugin> => {
  throw new Error('x');
};
