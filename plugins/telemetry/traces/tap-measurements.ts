import type { Histogram, Meter } from '@opentelemetry/api';
import type { Exchange } from '../../sdk/exchange.ts';
import type { Hooks } from '../../sdk/hooks.ts';
import { destinationFacts, errorType, type Facts, longestModel, type RunningAttempt } from './attempt-facts.ts';

const name = 'gatewright/telemetry-metrics';

/** The boundaries that the conventions advise. */
const tokenBoundaries = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864];
const secondBoundaries = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

interface Instruments {
  readonly tokens: Histogram;
  readonly durations: Histogram;
}

const instruments = (meter: Meter): Instruments => ({
  tokens: meter.createHistogram('gen_ai.client.token.usage', {
    unit: '{token}',
    description: 'Number of input and output tokens used.',
    advice: { explicitBucketBoundaries: tokenBoundaries },
  }),
  durations: meter.createHistogram('gen_ai.client.operation.duration', {
    unit: 's',
    description: 'GenAI operation duration.',
    advice: { explicitBucketBoundaries: secondBoundaries },
  }),
});

interface Measured extends RunningAttempt {
  error: string | undefined;
}

/** Measures how long attempts take and which tokens they use. */
export const tapMeasurements = (hooks: Hooks, meter: Meter, now: () => number): void => {
  const { tokens, durations } = instruments(meter);
  const running = new WeakMap<Exchange['trail'], Map<string, Measured>>();

  hooks.attempting.tap(name, (start, { trail }) => {
    const attempts = running.get(trail) ?? new Map<string, Measured>();
    running.set(trail, attempts.set(`${start.path} ${start.attempt}`, { start, at: now(), error: undefined }));
  });
  hooks.attempted.tap(name, ({ path, attempt, status, origin }, { trail }) => {
    const measured = running.get(trail)?.get(`${path} ${attempt}`);
    if (measured !== undefined) measured.error = errorType({ status, origin });
  });
  hooks.settled.tap(name, ({ path, attempt, usage }, exchange) => {
    const { trail, plan } = exchange;
    const attempts = running.get(trail);
    const measured = attempts?.get(`${path} ${attempt}`);
    if (measured === undefined) return;
    attempts?.delete(`${path} ${attempt}`);
    const { start, at, error } = measured;
    const facts: Facts = destinationFacts(start, exchange);
    // Models that callers make up would be labels without end: those that a named plan's provider answers for are not.
    if (error === undefined && plan?.isCallers !== true && usage.model !== '')
      facts['gen_ai.response.model'] = usage.model.slice(0, longestModel);
    durations.record((now() - at) / 1000, error === undefined ? facts : { ...facts, 'error.type': error });
    if (usage.kind === 'none') return;
    tokens.record(usage.input.total, { ...facts, 'gen_ai.token.type': 'input' });
    tokens.record(usage.output.total, { ...facts, 'gen_ai.token.type': 'output' });
  });
};
