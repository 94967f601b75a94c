import { ROOT_CONTEXT } from '@opentelemetry/api';
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { traceSampler } from '../../../../plugins/sdk/logs/trace-sampler.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const digit = fc.constantFrom(...'0123456789abcdef');
const traceIds = fc.string({ unit: digit, minLength: 32, maxLength: 32 }).filter((id) => !/^0+$/.test(id));

it("samples the same traces as OpenTelemetry's sampler", () => {
  const ratios = fc.oneof(fc.constantFrom(0, 1, 0.5), fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(ratios, traceIds, (ratio, traceId) => {
      const { decision } = new TraceIdRatioBasedSampler(ratio).shouldSample(ROOT_CONTEXT, traceId);
      expect(traceSampler(ratio)(traceId)).toBe(decision === SamplingDecision.RECORD_AND_SAMPLED);
    }),
    lawRuns,
  );
});
