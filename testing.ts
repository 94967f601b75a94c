import { builtinPlugins } from './plugins/builtin.ts';
import { createRoute } from './plugins/testkit/route/create-route.ts';
import type { Route } from './plugins/testkit/route/route-test.ts';
import { createRuntime } from './runtime/engine/gateway.ts';
import { wholeStages } from './runtime/engine/stages/whole-stages.ts';
import { createMemoryBreakers } from './runtime/in-memory/memory-breakers.ts';

export * from './plugins/testkit/testing.ts';

/**
 * Tests a plan's routes over the gateway's own linker, with virtual time and recorded upstreams; nothing leaves the
 * process: `await route(plan).given({ metadata }).when({ fast: answers(529) }).expect(['fast', 'eu'])`.
 */
export const route: Route = createRoute({
  plugins: builtinPlugins,
  execute: ({ plan, plugins, clock, chance }) => {
    const runtime = createRuntime({
      stageCode: wholeStages,
      plugins,
      ports: {
        clock,
        chance,
        breakers: createMemoryBreakers({ clock }),
        upstreams: {
          open: (origin) => {
            throw new Error(`A route test calls nobody, and was asked to call ${origin}.`);
          },
          close: async () => {},
        },
      },
    });
    const linked = runtime.link({ plan, secrets: () => 'test-secret' });
    return (exchange) => runtime.handle(exchange, linked);
  },
});
