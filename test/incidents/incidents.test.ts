import { expect, it } from 'vitest';
import { incidentTable, judgeIncidents, mayBeMissed } from './judge-incidents.ts';

it('finds where, why and what to do of at least nineteen incidents in twenty', async () => {
  const all = await judgeIncidents();
  expect(all.length).toBeGreaterThanOrEqual(20);
  const missed = all.filter(({ wrong }) => wrong.length > 0);
  expect(missed.length, incidentTable(all)).toBeLessThanOrEqual(all.length * mayBeMissed);
});
