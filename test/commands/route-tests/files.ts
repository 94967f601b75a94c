import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

/** A config with every kind of group and stage. */
export const shop: object = {
  strategy: {
    mode: 'conditional',
    conditions: [{ query: { 'metadata.tier': { $eq: 'gold' } }, then: 'best' }],
    default: 'cheap',
  },
  targets: [
    {
      name: 'best',
      strategy: { mode: 'fallback' },
      targets: [
        {
          name: 'gpt',
          provider: 'openai',
          api_key: '${env:OPENAI_API_KEY}',
          request_timeout: 5000,
          retry: { attempts: 2, use_retry_after_headers: true },
          cb_config: { failure_threshold: 3, cooldown_interval: 30000 },
        },
        { name: 'claude', provider: 'anthropic', api_key: '${env:ANTHROPIC_API_KEY}' },
      ],
    },
    {
      name: 'cheap',
      strategy: { mode: 'loadbalance' },
      targets: [
        {
          name: 'east',
          provider: 'groq',
          api_key: '${env:GROQ_API_KEY}',
          weight: 0.7,
          input_guardrails: [{ 'default.regexMatch': { rule: 'Hello' }, id: 'greets', deny: true }],
        },
        { name: 'west', provider: 'groq', api_key: '${env:GROQ_API_KEY}', weight: 0.3 },
      ],
    },
  ],
};

/** Returns a YAML file of tests for that config. Each test is indented by two spaces, starting at its dash. */
export const yamlTests = (...tests: readonly string[]): string =>
  `config: configs/shop.json\ntests:\n${tests.map((test) => `  ${test.replaceAll('\n', '\n  ')}\n`).join('')}`;

/** Creates a folder with that config and these tests. */
export const shopFolder = (tests: string, more: Readonly<Record<string, string | object>> = {}): string =>
  temporaryFolder({ 'configs/shop.json': shop, 'shop.route.yaml': tests, ...more });

export interface TestReport {
  readonly tests: number;
  readonly failed: number;
  readonly percent: number;
  readonly errors: readonly {
    readonly file: string;
    readonly diagnostics: readonly {
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
      readonly span: { readonly line: number };
    }[];
  }[];
  readonly files: readonly {
    readonly file: string;
    readonly tests: readonly {
      readonly name: string;
      readonly failures: readonly {
        readonly line: number;
        readonly expected?: string;
        readonly got?: string;
        readonly problem?: string;
      }[];
    }[];
  }[];
  readonly coverage: readonly {
    readonly config: string;
    readonly missing: readonly { readonly what: string; readonly place: string }[];
  }[];
}

/** Runs `gw test --format json` in a folder. */
export const testReport = async (folder: string, ...args: readonly string[]): Promise<TestReport> => {
  const { out, err } = await runGw(folder, ['test', '--format', 'json', ...args]);
  if (out === '') throw new Error(err);
  return JSON.parse(out);
};

/** Returns the failures of all tests, one line each. */
export const failuresIn = ({ files }: TestReport): readonly string[] =>
  files.flatMap(({ file, tests }) =>
    tests.flatMap(({ failures }) =>
      failures.map(({ line, expected, got, problem }) =>
        problem === undefined ? `${file}:${line} ${expected} | ${got}` : `${file}:${line} ${problem}`,
      ),
    ),
  );
