/** Measures what counting for alerts adds to a request: `node test/bench/alerts.ts`. */
import { ErrorRates } from '../../plugins/alerts/sources/error-rates.ts';
import { sampleExchange } from '../support/in-process/sample-exchange.ts';
import { samplePlan } from '../support/plans/sample-plan.ts';

const requests = 2_000_000;
const rates = new ErrorRates({
  ...{ percent: 20, windowS: 300, atLeast: 20, source: 'bench' },
  note: () => {},
  now: () => performance.now(),
});
const exchange = sampleExchange({}, { plan: { routing: samplePlan(), label: 'sample@1' } });

const round = (): number => {
  const began = performance.now();
  for (let at = 0; at < requests; at += 1) {
    rates.attempted({ target: 'main', status: 200, origin: 'upstream' }, exchange);
    rates.completed({ status: 200, origin: 'upstream' }, exchange, 'complete');
  }
  return ((performance.now() - began) * 1e6) / requests;
};

round();
const nanoseconds = [round(), round(), round()].toSorted((a, b) => a - b)[1] ?? 0;
process.stdout.write(`Counting a request and its attempt takes ${Math.round(nanoseconds)} ns.\n`);
