import { defineChooser, definePlugin } from 'gatewright/sdk';
import { Latencies } from './latencies.js';

const id = 'latency-router';

/** The router. Its options are those of the gateway file. */
export const latencyRouter = () => {
  let settings = { factor: 3, fresh_ms: 10_000 };
  const chooser = defineChooser({
    id,
    description: 'By weight, among those that answer nearly as fast as the fastest.',
    create({ monotonic }) {
      const latencies = new Latencies();
      return {
        choose(targets, _request, draw) {
          const { factor, fresh_ms: freshMs } = settings;
          const slow = targets.map(({ index }) => latencies.isSlow(index, { factor, freshMs, now: monotonic() }));
          return draw.pick(targets.map(({ weight }, at) => (slow[at] ? 0 : weight)));
        },
        heard(index, { status, origin, answeredMs }) {
          if (origin === 'upstream' && status < 500) latencies.note(index, answeredMs, monotonic());
          else latencies.forget(index);
        },
      };
    },
  });
  return definePlugin({
    name: 'gatewright-plugin-latency-router',
    options: {
      type: 'object',
      properties: {
        factor: {
          type: 'number',
          minimum: 1,
          default: 3,
          description: 'How many times as slow as the fastest is too slow.',
        },
        fresh_ms: { type: 'integer', minimum: 1, default: 10_000, description: 'For how long a latency is believed.' },
      },
    },
    choosers: [chooser],
    apply(_hooks, options) {
      settings = options;
    },
  });
};

/** Balances by weight, without the targets that answer much later than the fastest. */
export default latencyRouter();
