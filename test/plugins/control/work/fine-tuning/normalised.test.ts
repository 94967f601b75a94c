import { describe, expect, it } from 'vitest';
import { normalisedJob } from '../../../../../plugins/control/work/fine-tuning/job/normalised.ts';

/** A job of a service that fills in every member, whatever the status. */
const filled = {
  fine_tuned_model: 'ft:m',
  finished_at: 1_800_000_000,
  trained_tokens: 0,
  estimated_finish: 1_800_000_100,
};

describe('a fine-tuning job', () => {
  it.each(['validating_files', 'queued', 'running', 'pausing'])('has no results while it is %s', (status) => {
    expect(normalisedJob({ ...filled, status })).toMatchObject({
      fine_tuned_model: null,
      finished_at: null,
      trained_tokens: null,
    });
  });

  it.each(['succeeded', 'failed', 'cancelled'])('has its results, and no estimate, once it is %s', (status) => {
    expect(normalisedJob({ ...filled, status })).toMatchObject({ ...filled, estimated_finish: null });
  });

  it('is estimated to finish only while it is running', () => {
    expect(normalisedJob({ ...filled, status: 'running' }).estimated_finish).toBe(1_800_000_100);
    expect(normalisedJob({ ...filled, status: 'queued' }).estimated_finish).toBeNull();
    expect(normalisedJob({ status: 'running' })).not.toHaveProperty('estimated_finish');
  });
});
