import { type Plugin, pluginApi } from '../../plugins/sdk/plugin/plugin.ts';
import type { ProvidedRoute } from '../../plugins/sdk/plugin/plugin-report.ts';
import { errorText } from '../../schema/text/error-text.ts';
import { PluginError } from '../engine/plugins/plugin-error.ts';
import { createRoutes } from './routes.ts';

const notRun = (): never => {
  throw new Error('A route was called that is only declared.');
};

/** Returns why a gateway with these plugins would not start with the routes of another. Undefined if it would. */
export const routesError =
  (plugins: readonly Plugin[]) =>
  (name: string, declared: readonly ProvidedRoute[]): string | undefined => {
    const routes = declared.map((route) => ({ ...route, summary: '', replies: {}, handle: notRun }));
    try {
      createRoutes([...plugins, { name, api: pluginApi, routes }]);
      return undefined;
    } catch (error) {
      if (error instanceof PluginError) return errorText(error);
      throw error;
    }
  };
