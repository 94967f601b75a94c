import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startBrowser } from '../../e2e/console/support/browser.ts';
import { markdownTable } from '../harness/figures.ts';
import { type ConsoleOptions, print } from './options.ts';
import { startConsole } from './started-console.ts';

/** https://github.com/GoogleChrome/lighthouse. Not a dependency: npx installs it when the benchmark runs. */
const version = '13.5.0';

/** The SEO category is omitted, because the console blocks search engines and would lose points for that. */
const categories = ['performance', 'accessibility', 'best-practices'];

interface Audit {
  readonly id: string;
  readonly title: string;
  readonly score: number | null;
  readonly displayValue?: string;
}

interface Report {
  readonly categories: Readonly<
    Record<
      string,
      {
        readonly title: string;
        readonly score: number | null;
        readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
      }
    >
  >;
  readonly audits: Readonly<Record<string, Audit>>;
}

/** Lists the audits that lose points, with their findings. */
const listLosses = ({ categories, audits }: Report): readonly string[] =>
  Object.values(categories).flatMap(({ title, auditRefs }) =>
    auditRefs
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => `${title}: ${audits[id]?.title} ${audits[id]?.displayValue ?? ''}`.trim()),
  );

/** Runs Lighthouse on the sign-in page and on pages behind it. Prints the scores and the audits that lose points. */
export const measureLighthouse = async (options: ConsoleOptions): Promise<void> => {
  const started = await startConsole(options);
  const port = options.ports.first + 40;
  const folder = mkdtempSync(path.join(tmpdir(), 'gw-lighthouse-'));
  try {
    const rows: string[][] = [];
    const losses: string[] = [];
    let titles: readonly string[] = [];
    for (const [name, preset] of [
      ['sign-in', 'mobile'],
      ['sign-in', 'desktop'],
      ['overview', 'mobile'],
      ['overview', 'desktop'],
      ['live', 'desktop'],
      ['configs', 'desktop'],
    ] as const) {
      const browser = await startBrowser([`--remote-debugging-port=${port}`]);
      try {
        const context = await browser.newContext();
        let cookie = '';
        if (name !== 'sign-in') {
          await started.signIn(context);
          cookie = (await context.cookies()).map((each) => `${each.name}=${each.value}`).join('; ');
        }
        const file = path.join(folder, `${name}-${preset}.json`);
        const given = [
          ...['--yes', `lighthouse@${version}`, `${started.origin}/console/${name === 'sign-in' ? '' : name}`],
          `--only-categories=${categories.join(',')}`,
          ...[`--port=${port}`, '--output=json', `--output-path=${file}`, '--quiet'],
          ...(preset === 'desktop' ? ['--preset=desktop'] : []),
          ...(cookie === '' ? [] : [`--extra-headers=${JSON.stringify({ cookie })}`]),
        ];
        await promisify(execFile)('npx', given, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
        const report: Report = JSON.parse(readFileSync(file, 'utf8'));
        const scored = Object.values(report.categories);
        titles = scored.map(({ title }) => title);
        rows.push([
          `${name}, ${preset}`,
          ...scored.map(({ score }) => (score === null ? '–' : String(Math.round(score * 100)))),
        ]);
        losses.push(...listLosses(report).map((loss) => `${name}, ${preset}: ${loss}`));
      } finally {
        await browser.close();
      }
    }
    print(`\nLighthouse ${version}\n\n${markdownTable(['page', ...titles], rows)}`);
    if (losses.length > 0) print(`\n${losses.map((loss) => `- ${loss}\n`).join('')}`);
  } finally {
    await started.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
