import { describe, expect, it } from 'vitest';
import { supportedHyperparameters } from '../../../../../plugins/control/work/fine-tuning/executors/executor.ts';
import type { NewJob } from '../../../../../plugins/control/work/fine-tuning/job/new-job.ts';
import { GatewayError } from '../../../../../schema/errors/errors.ts';

const bounds = { provider: 'vertex-ai', methods: { supervised: ['n_epochs'] } } as const;
const job = { model: 'm', training_file: 'f', suffix: 's' };
const bySupervision = (hyperparameters: object): NewJob['method'] => ({
  type: 'supervised',
  supervised: { hyperparameters: { ...hyperparameters } },
});

const refusedPlaces = (body: NewJob): readonly unknown[] => {
  try {
    supportedHyperparameters(body, bounds);
  } catch (error) {
    if (error instanceof GatewayError) return error.report.errors?.map(({ pointer }) => pointer) ?? [];
    throw error;
  }
  return [];
};

describe('the hyperparameters that a provider supports', () => {
  it('are taken from the job or from its method', () => {
    expect(supportedHyperparameters({ ...job, method: bySupervision({ n_epochs: 2 }) }, bounds)).toEqual({
      n_epochs: 2,
    });
    expect(
      supportedHyperparameters({ ...job, method: { type: 'supervised' }, hyperparameters: { n_epochs: 3 } }, bounds),
    ).toEqual({
      n_epochs: 3,
    });
  });

  it('exclude others, which are refused at the place where the client wrote them', () => {
    expect(refusedPlaces({ ...job, method: bySupervision({ batch_size: 2 }) })).toEqual([
      '/method/supervised/hyperparameters/batch_size',
    ]);
    expect(refusedPlaces({ ...job, method: { type: 'supervised' }, hyperparameters: { batch_size: 2 } })).toEqual([
      '/hyperparameters/batch_size',
    ]);
  });
});
