/** Measures one way and its base without sockets, and prints a `WayFigures`: `node test/bench/traffic/measure-calls.ts price`. */
import { compile } from '../../../compiler/compile.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { createRuntime } from '../../../runtime/engine/gateway.ts';
import type { LinkedPlan } from '../../../runtime/engine/link.ts';
import { wholeStages } from '../../../runtime/engine/stages/whole-stages.ts';
import { createClients } from '../../../runtime/http/exchange/clients.ts';
import { HttpExchange } from '../../../runtime/http/exchange/http-exchange.ts';
import { createMemoryBreakers } from '../../../runtime/in-memory/memory-breakers.ts';
import { seededChance } from '../../../runtime/in-memory/seeded-chance.ts';
import { systemClock } from '../../../runtime/in-memory/system-clock.ts';
import { lateModelCatalogue } from '../../../runtime/model-catalogue/late-model-catalogue.ts';
import { createPrices } from '../../../runtime/usage/prices/create-prices.ts';
import { nothingSaved } from '../../../schema/config/saved.ts';
import { stubAnswer } from '../../support/in-process/stub-upstreams.ts';
import { chatAnswer, chatRequest } from '../harness/payloads.ts';
import { configOf, type Way, ways, weight } from './ways.ts';

/** CPU microseconds per request. */
export interface WayFigures {
  readonly base: number;
  readonly own: number;
}

const rounds = 14;
/** The first rounds are not measured, because V8 has not optimised the code yet. */
const unmeasured = 2;
const requests = 5000;

const answer = Buffer.from(chatAnswer);
const runtime = createRuntime({
  stageCode: wholeStages,
  plugins: builtinPlugins,
  models: lateModelCatalogue({ plugins: builtinPlugins, now: systemClock.wall }),
  ports: {
    clock: systemClock,
    chance: seededChance,
    breakers: createMemoryBreakers({ clock: systemClock }),
    prices: createPrices(),
    upstreams: {
      open: () => ({
        send: async (_request, scope) => {
          scope.written?.();
          return stubAnswer(answer);
        },
      }),
      identityService: () => ({ send: async () => stubAnswer('{}') }),
      close: async () => {},
    },
  },
});
const clients = createClients(builtinPlugins);
const match = clients.match('POST', '/v1/chat/completions');
if (match === undefined) throw new Error('Chat has no route.');

/** A way that is ready to be called. */
interface Prepared {
  readonly linked: LinkedPlan;
  readonly body: Buffer;
  readonly headers: readonly string[];
}

const prepare = (way: Way): Prepared => {
  const { plan, diagnostics } = compile(JSON.stringify(configOf(way, { upstream: 1 })), {
    trust: 'caller',
    saved: nothingSaved,
    catalogue: buildCatalogue(builtinPlugins),
  });
  if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return {
    linked: runtime.link({ plan, secrets: () => undefined, callerPlan: true }),
    body: Buffer.from(way.body ?? chatRequest()),
    headers: [
      ...['content-type', 'application/json', 'x-gw-metadata', '{"session":"17"}'],
      ...Object.entries(way.headers ?? {}).flat(),
    ],
  };
};

let seed = 0;

const call = async ({ linked, body, headers }: Prepared): Promise<void> => {
  seed += 1;
  const exchange = new HttpExchange({
    ...{ method: 'POST', match, headers, caller: clients.readHeaders(headers), seed },
    startedAt: performance.now(),
  });
  exchange.request.body = { kind: 'bytes', bytes: body };
  const response = await runtime.handle(exchange, linked);
  if (response.status !== 200 || response.body.kind !== 'bytes') throw new Error(`It answered ${response.status}.`);
  exchange.end();
};

const measured = async (prepared: Prepared): Promise<number> => {
  const before = process.cpuUsage();
  for (let at = 0; at < requests; at += 1) await call(prepared);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requests;
};

const way = ways.find(({ name }) => name === process.argv[2]);
if (way === undefined) throw new Error(`There is no way "${process.argv[2]}".`);
const [basePlan, ownPlan] = [prepare(way.base ?? weight), prepare(way)];
let [base, own] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
for (let round = 0; round < rounds; round += 1) {
  const [ofBase, ofWay] = [await measured(basePlan), await measured(ownPlan)];
  if (round >= unmeasured) [base, own] = [Math.min(base, ofBase), Math.min(own, ofWay)];
}
process.stdout.write(JSON.stringify({ base, own } satisfies WayFigures));
process.exit(0);
