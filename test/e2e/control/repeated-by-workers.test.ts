import { expect, it } from 'vitest';
import { callControl, control, serveStore } from '../../support/gateways/stored-gateway.ts';

it('a request that several workers receive at once is run once for its idempotency-key', async () => {
  const gateway = await serveStore('gateway.db', { args: ['--workers', '2'] });
  for (let round = 0; round < 5; round += 1) {
    const call = { body: { name: `Once ${round}` }, idempotencyKey: `once-${round}` };
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => callControl(gateway, 'POST /collections', call)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await control(gateway, 'GET /collections')).toMatchObject({ total: round + 1 });
  }
});
