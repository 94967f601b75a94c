/**
 * `npm run deploy:helm`: lints the chart with each set of values, renders the plain manifests of `deploy/kubernetes` from it,
 * and holds that wrong values are refused. It needs helm, which `HELM` names where it is not in the `PATH`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { chartFolder, manifestHeader, manifestSets, manifestsFolder, valuesFile } from './manifest-sets.ts';

const program = process.env.HELM ?? 'helm';

/** A helm that `go install` built does not know for which Kubernetes it renders. */
const cluster = ['--kube-version', '1.33.0'];

const helm = (...args: readonly string[]) => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (error !== undefined)
    throw new Error(`helm cannot be run (${error.message}): go install helm.sh/helm/v3/cmd/helm@latest`);
  return { status, output: `${stdout}${stderr}`, stdout };
};

const must = (...args: readonly string[]): string => {
  const { status, output, stdout } = helm(...args);
  if (status !== 0) throw new Error(`helm ${args.join(' ')} ended with ${status}:\n${output}`);
  return stdout;
};

for (const [name, file] of Object.entries(manifestSets)) {
  const values = valuesFile(name);
  must('lint', '--strict', ...cluster, chartFolder, '--values', values);
  const manifests = must(
    'template',
    'gatewright',
    ...cluster,
    chartFolder,
    '--namespace',
    'gatewright',
    '--values',
    values,
  );
  // Whoever applies them is not helm.
  const plain = manifests.replaceAll(/^ *(?:app\.kubernetes\.io\/managed-by|helm\.sh\/chart): .*\n/gm, '');
  writeFileSync(path.join(manifestsFolder, file), `${manifestHeader(name)}${plain}`);
  process.stdout.write(`deploy/kubernetes/${file} is rendered.\n`);
}

/** Values beside those of a gateway, and what helm then says. */
const refused: readonly (readonly [values: object, message: RegExp])[] = [
  [{ replica: 3 }, /replica/],
  [{ mode: 'pod' }, /mode/],
  [{ mode: 'sidecar' }, /image/],
  [{ gateway: { auth: { keys: [] } } }, /Nobody could call the gateway/],
  [{ gateway: { auth: null } }, /auth/],
  [{ gateway: { defaultConfig: 'chat' } }, /defaultConfig/],
  [{ gateway: { listen: { port: '80' } } }, /port/],
  [{ configs: { chat: { retries: 3 } } }, /retries/],
  [{ persistence: { enabled: true } }, /A store in a file is for one gateway/],
  [{ gateway: { store: { url: '/var/lib/gatewright/gateway.db' } } }, /lost with its pod/],
  [{ drain: { seconds: '30s' } }, /seconds/],
  [{ secrets: { env: [{ name: 'KEY', value: 'sk-1' }] } }, /value/],
  [{ configs: { chat: { api_key: 'sk-real-secret-123456' } } }, /api_key/],
  [{ configs: { chat: { input_guardrails: [{ 'lakera.guard': { credentials: { apiKey: 'sk-1' } } }] } } }, /apiKey/],
  [{ gateway: { metrics: { host: '127.0.0.1' } } }, /host/],
  [{ gateway: { metrics: { port: 8787 } } }, /port/],
  [{ gateway: { configs: './configs' } }, /configs/],
  [{ gateway: { trusted_authorities: '${env:OWN_CA}' } }, /no variable OWN_CA: list it in secrets\.env/],
  [
    { configs: { chat: { provider: 'openai', api_key: '${file:/run/secrets/own/key}' } } },
    /secrets\.files, as \{ secret: own/,
  ],
  [{ gateway: { store: { url: 'postgres://db/gatewright' } } }, /list GW_MASTER_KEY in secrets\.env/],
];

const renderWith = (values: object, chart = chartFolder) => {
  const args = ['template', 'gatewright', ...cluster, chart, '--values', valuesFile('gateway'), '--values', '-'];
  return spawnSync(program, args, { encoding: 'utf8', input: stringify(values) });
};

for (const [values, message] of refused) {
  const { status, stdout, stderr } = renderWith(values);
  if (status === 0 || !message.test(stderr))
    throw new Error(`helm takes ${JSON.stringify(values)}:\n${stdout}${stderr}`);
}
process.stdout.write(`${refused.length} sets of wrong values are refused.\n`);

/** Where the manifests of values have metrics: ports of the gateway file, the container, the Service and the NetworkPolicy. */
const metricsPlaces: readonly (readonly [values: object, port: number | undefined])[] = [
  [{}, 9464],
  [{ gateway: { metrics: true } }, 9464],
  [{ gateway: { metrics: { port: 9999 } } }, 9999],
  [{ metrics: { port: 9999 } }, 9999],
  [{ gateway: { metrics: false } }, undefined],
  [{ metrics: { enabled: false } }, undefined],
];

const placesOf = (port: number): readonly string[] => [
  'port: metrics',
  `"port": ${port}`,
  `port: ${port}`,
  'targetPort: metrics',
  `containerPort: ${port}`,
];

for (const [values, port] of metricsPlaces) {
  const places = port === undefined ? [] : placesOf(port);
  const { stdout, stderr } = renderWith(values);
  const found = stdout.match(/"port": \d+|port: metrics|\w*[pP]ort: (?:metrics|9\d{3})/g) ?? [];
  if (`${found}` !== `${places}`) throw new Error(`${JSON.stringify(values)} has metrics at ${found}:\n${stderr}`);
}
process.stdout.write(`${metricsPlaces.length} sets of values have the port of metrics in all places, or in none.\n`);

/** What helm says after an installation of values. */
const notes: readonly (readonly [values: object, message: RegExp, isSaid: boolean])[] = [
  [{ gateway: { store: { url: '${env:DATABASE_URL}' } } }, /Each gateway counts limits alone/, true],
  [{ gateway: { store: { url: '${env:DATABASE_URL}' } }, replicas: 1 }, /Each gateway counts limits alone/, false],
  [
    { gateway: { store: { url: '${env:DATABASE_URL}', limits: { url: 'redis://redis:6379' } } } },
    /counts limits alone/,
    false,
  ],
  [{}, /counts limits alone/, false],
];

/** Notes are shown by an installation alone, which asks a cluster: a copy of the chart has them in a manifest. */
const withNotes = mkdtempSync(path.join(tmpdir(), 'gw-chart-'));
cpSync(chartFolder, withNotes, { recursive: true });
cpSync(path.join(chartFolder, 'templates/NOTES.txt'), path.join(withNotes, 'notes.txt'));
writeFileSync(
  path.join(withNotes, 'templates/notes.yaml'),
  'notes: |\n  {{- tpl (.Files.Get "notes.txt") . | nindent 2 }}\n',
);

try {
  for (const [values, message, isSaid] of notes) {
    const names = ['DATABASE_URL', 'GW_MASTER_KEY', 'GW_SERVICE_KEY', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY'];
    const env = names.map((name) => ({ name, secret: 'gatewright', key: name }));
    const { status, stdout, stderr } = renderWith({ ...values, secrets: { env } }, withNotes);
    const text = stdout.slice(stdout.indexOf('\nnotes: |'));
    if (status !== 0 || !text.includes('Gatewright is at') || message.test(text) !== isSaid)
      throw new Error(`helm says of ${JSON.stringify(values)}:\n${text}${stderr}`);
  }
} finally {
  rmSync(withNotes, { recursive: true });
}
process.stdout.write(`${notes.length} sets of values have the notes that belong to them.\n`);
