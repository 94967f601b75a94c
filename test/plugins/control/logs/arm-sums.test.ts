import { expect, it } from 'vitest';
import { maxArms, sumArms } from '../../../../plugins/control/logs/arm-sums.ts';
import { describeLogs } from './support/log-stores.ts';

describeLogs('the sums of the arms of mirrors', (log) => {
  it('are limited in number, whatever models callers choose, and include those with the most requests', async () => {
    const { store } = log();
    const row = (at: number, model: string) => ({
      ...{ id: `arm-${at}`, workspace_id: 'one', created_at: 1000, config: 'app', path: '', arm: 'mirror' },
      ...{ target: 'copy', provider: 'openai', model, trace_id: `trace-${at}`, status: 200, micros: 1000 },
      ...{ cost: null, verdict: null },
    });
    const models = Array.from({ length: maxArms + 500 }, (_, at) => `model-${at}`);
    const rows = [...models, 'often', 'often'].map((model, at) => row(at, model));
    for (let at = 0; at < rows.length; at += 200)
      await store.write((writing) =>
        writing
          .insertInto('log_arms')
          .values(rows.slice(at, at + 200))
          .execute(),
      );
    const judged = {
      ...{ id: 'given', workspace_id: 'one', trace_id: `trace-${models.length}`, value: 8, weight: 1, metadata: '{}' },
      ...{ key_id: null, created_at: 1000, updated_at: 1000 },
    };
    await store.write((writing) => writing.insertInto('log_feedback').values(judged).execute());
    const sums = await sumArms(store, { tenant: 'one', min: 0, max: 2000 });
    expect(sums).toHaveLength(maxArms);
    expect(sums[0]).toMatchObject({ model: 'often', requests: 2, feedback: 1, weighed: 8 });
  });
});
