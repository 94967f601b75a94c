import { type GatewayError, gatewayError } from '../../../../../schema/errors/errors.ts';
import { bedrockTuning } from './bedrock.ts';
import type { TuningExecutor } from './executor.ts';
import { fireworksTuning } from './fireworks-ai.ts';
import { nativeTuning } from './native.ts';
import { vertexTuning } from './vertex-ai.ts';

const executors: ReadonlyMap<string, TuningExecutor> = new Map([
  ['azure-openai', nativeTuning],
  ['bedrock', bedrockTuning],
  ['fireworks-ai', fireworksTuning],
  ['openai', nativeTuning],
  ['vertex-ai', vertexTuning],
]);

/** Makes the error for jobs of a provider that has none of the kind. */
export const noSuchJobs = (
  provider: string,
  what: string,
  has: (executor: TuningExecutor) => boolean = () => true,
): GatewayError => {
  const those = [...executors].filter(([, executor]) => has(executor)).map(([name]) => name);
  return gatewayError('no-such-jobs', { provider, what, those: those.sort().join(', ') });
};

/** Finds how a provider does fine-tuning; undefined for one that does not. */
export const findTuning = (provider: string): TuningExecutor | undefined => executors.get(provider);

/** The same. Throws the `GatewayError` `no-such-jobs` for one that does not. */
export const tuningAt = (provider: string): TuningExecutor => {
  const executor = findTuning(provider);
  if (executor === undefined) throw noSuchJobs(provider, 'fine-tuning jobs');
  return executor;
};
