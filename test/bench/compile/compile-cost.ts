/** Measures the cost of compiling a 2 KB header config: `node compile-cost.ts` prints microseconds as JSON. */
import { compile } from '../../../compiler/compile.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';

const rounds = 2000;
const catalogue = buildCatalogue(builtinPlugins);

/** Returns a different text each time, as if a caller builds a new config for each request. */
const configText = (round: number): string =>
  JSON.stringify({
    strategy: { mode: 'fallback', on_status_codes: [429, 503] },
    retry: { attempts: 2, on_status_codes: [429, 500, 503] },
    targets: Array.from({ length: 12 }, (_, at) => ({
      name: `target-${at}`,
      provider: 'openai',
      api_key: `caller-key-${round}-${at}`,
      request_timeout: 30_000 + at,
      override_params: { model: `gpt-4o-mini-${round % 7}`, temperature: 0.5, max_tokens: 256 },
    })),
  });

const run = (from: number): number => {
  const texts = Array.from({ length: rounds }, (_, at) => configText(from + at));
  const begun = performance.now();
  for (const text of texts) {
    const { plan, diagnostics } = compile(text, { trust: 'caller', catalogue });
    if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  }
  return ((performance.now() - begun) * 1000) / rounds;
};

run(0);
const bytes = Buffer.byteLength(configText(1));
const fresh = run(rounds);

const cache = new Map(Array.from({ length: 1000 }, (_, at) => [configText(at), at] as const));
const wanted = Buffer.from(configText(500));
let found = 0;
const begun = performance.now();
for (let at = 0; at < 100_000; at += 1) found += cache.get(wanted.toString('latin1')) ?? 0;
const again = ((performance.now() - begun) * 1000) / 100_000;

process.stdout.write(`${JSON.stringify({ bytes, freshMicros: fresh, againMicros: again, found })}\n`);
