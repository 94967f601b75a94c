import { expect, it, onTestFinished, vi } from 'vitest';
import { incidentTable, judgeIncidents, maxMissedShare } from './judge-incidents.ts';

it('the judge finds the place, cause and remedy of at least 19 in 20 incidents', async () => {
  // The commands that the test runs set these variables in this process. Later test files must see their original values.
  for (const name of ['GW_URL', 'GW_API_KEY']) vi.stubEnv(name, undefined);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const all = await judgeIncidents();
  expect(all.length).toBeGreaterThanOrEqual(20);
  const missed = all.filter(({ wrong }) => wrong.length > 0);
  expect(missed.length, incidentTable(all)).toBeLessThanOrEqual(all.length * maxMissedShare);
});
