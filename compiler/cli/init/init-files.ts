import { placeholderSecret } from '../../../schema/config/saved.ts';
import { type Answers, type InitProviderName, initProviders } from './choices.ts';
import { githubWorkflow, gitlabPipeline } from './ci-files.ts';

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Returns the targets in order: one, or one and its fallback. */
const targetsOf = ({ provider, fallback }: Answers): readonly InitProviderName[] =>
  fallback === 'none' ? [provider] : [provider, fallback];

const target = (name: InitProviderName): object => ({
  name,
  provider: name,
  api_key: `\${env:${initProviders[name].variable}}`,
  override_params: { model: initProviders[name].model },
});

/** The first target is retried once, and has a time-out. */
const patient = { request_timeout: 60_000, retry: { attempts: 1, use_retry_after_headers: true } };

const configText = (answers: Answers): string => {
  const [first, second] = targetsOf(answers);
  const asked = { ...target(first ?? answers.provider), ...patient };
  // In a config with one target, the target has no name: the config's own is that of the plan.
  return json(
    second === undefined
      ? { strategy: { mode: 'single' }, targets: [asked] }
      : { strategy: { mode: 'fallback' }, targets: [asked, target(second)] },
  );
};

const stores = { none: undefined, sqlite: 'gateway.db', postgres: '${env:DATABASE_URL}' } as const;

const gatewayText = ({ store }: Answers): string => {
  const url = stores[store];
  return json({ configs: 'configs', default_config: 'main', ...(url === undefined ? {} : { store: { url } }) });
};

const testText = (answers: Answers): string => {
  const [first = answers.provider, second] = targetsOf(answers);
  const whenDown =
    second === undefined
      ? `calls: [${first}, ${first}], status: 503`
      : `calls: [${first}, ${first}, ${second}], status: 200`;
  const whenSlow =
    second === undefined ? `calls: [${first}], status: 408` : `calls: [${first}, ${second}], status: 200`;
  return `# What configs/main.json does with requests. Run it with: npx gatewright test
config: ../configs/main.json
tests:
  - name: ${first} answers
    expect: { calls: [${first}], status: 200 }
  - name: ${first} is retried once, after the time that it requests
    when:
      ${first}:
        - { status: 429, headers: { retry-after: "2" } }
        - { status: 200, content: Hello. }
    expect: { calls: [${first}, ${first}], waits_ms: [2000], content: Hello. }
  - name: ${second === undefined ? 'the client gets the error' : `falls back to ${second}`} when ${first} is down
    when: { ${first}: [{ status: 503 }] }
    expect: { ${whenDown} }
  - name: ${second === undefined ? 'the client gets an error' : `falls back to ${second}`} when ${first} does not answer
    when: { ${first}: [{ error: silent }] }
    expect: { ${whenSlow} }
`;
};

const variablesOf = (answers: Answers): readonly string[] => [
  ...targetsOf(answers).map((name) => initProviders[name].variable),
  ...(answers.store === 'none' ? [] : ['GW_ADMIN_KEY', 'GW_MASTER_KEY']),
  ...(answers.store === 'postgres' ? ['DATABASE_URL'] : []),
];

const placeholders: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://user:password@127.0.0.1:5432/gatewright',
};

const placeholder = (variable: string): string => placeholders[variable] ?? placeholderSecret;

/**
 * Keys of the gateway itself. They get no value, because a value that everybody can read would be accepted if somebody forgot to
 * replace it.
 */
const ownKeys: Readonly<Record<string, string>> = {
  GW_ADMIN_KEY: '# The first key of the control plane. Without it, gw serve creates one and prints where it is.',
  GW_MASTER_KEY: '# Encrypts the secrets in the store; create one with: openssl rand -base64 32',
};

const environmentText = (answers: Answers): string =>
  [
    '# Copy this file to .env, write your own values, and load it before you start the gateway: set -a; . ./.env; set +a',
    ...variablesOf(answers).flatMap((variable) => {
      const comment = ownKeys[variable];
      return comment === undefined ? [`${variable}=${placeholder(variable)}`] : [comment, `# ${variable}=`];
    }),
    '',
  ].join('\n');

/** The store beside the gateway, and the first key that it creates. */
const ofStore: Readonly<Record<Answers['store'], readonly string[]>> = {
  none: [],
  postgres: ['gateway.admin-key*'],
  sqlite: ['gateway.db*'],
};

const ignoredText = ({ store }: Answers): string => ['.env', ...ofStore[store], 'node_modules', ''].join('\n');

/** A file to write. If a `kept` file exists already, it only needs the lines of this one. */
export interface InitFile {
  readonly file: string;
  readonly text: string;
  readonly kept: boolean;
}

/** The files of a new gateway. */
export const initFiles = (answers: Answers, version: string): readonly InitFile[] => [
  { file: 'gateway.json', text: gatewayText(answers), kept: false },
  { file: 'configs/main.json', text: configText(answers), kept: false },
  { file: 'tests/main.route.yaml', text: testText(answers), kept: false },
  { file: '.env.example', text: environmentText(answers), kept: true },
  { file: '.gitignore', text: ignoredText(answers), kept: true },
  ...(answers.ci === 'github'
    ? [{ file: '.github/workflows/gatewright.yml', text: githubWorkflow(version), kept: true }]
    : []),
  ...(answers.ci === 'gitlab' ? [{ file: '.gitlab-ci.yml', text: gitlabPipeline(version), kept: true }] : []),
];
