/**
 * `npm run deploy:helm`: lints the chart with each set of values, renders the plain manifests of `deploy/kubernetes` from it,
 * and checks that wrong values are refused and that the commands of the recipes render. It needs helm: `HELM` names the program
 * if it is not in the `PATH`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { chartFolder, manifestHeader, manifestSets, manifestsFolder, valuesFile } from './manifest-sets.ts';
import { chartRecipes, followRecipe, recipeCommands } from './recipe-commands.ts';
import { refusedValues } from './refused-values.ts';

const program = process.env.HELM ?? 'helm';

/** The Kubernetes version to render for, which a helm built by `go install` does not know. */
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
  // These manifests are not applied by helm.
  const plain = manifests.replaceAll(/^ *(?:app\.kubernetes\.io\/managed-by|helm\.sh\/chart): .*\n/gm, '');
  writeFileSync(path.join(manifestsFolder, file), `${manifestHeader(name)}${plain}`);
  process.stdout.write(`deploy/kubernetes/${file} is rendered.\n`);
}

const renderWith = (values: object, chart = chartFolder) => {
  const args = ['template', 'gatewright', ...cluster, chart, '--values', valuesFile('gateway'), '--values', '-'];
  return spawnSync(program, args, { encoding: 'utf8', input: stringify(values) });
};

for (const { values, helm: message } of refusedValues) {
  const { status, stdout, stderr } = renderWith(values);
  if (status === 0 || !stderr.includes(message))
    throw new Error(`helm accepts ${JSON.stringify(values)}:\n${stdout}${stderr}`);
  if (stderr.includes('(allOf)')) throw new Error(`helm reports more than the mistake:\n${stderr}`);
}
process.stdout.write(`${refusedValues.length} sets of wrong values are refused.\n`);

/** The port of metrics that the manifests of some values must have: in the gateway file, container, Service and NetworkPolicy. */
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

const tls = { cert: '${file:/run/secrets/own.tls/tls.crt}', key: '${file:/run/secrets/own.tls/tls.key}' };
const files = [{ secret: 'own.tls' }];
const clientCa = '${file:/run/secrets/own.tls/ca.crt}';
const sidecar = { mode: 'sidecar', sidecar: { app: { image: 'app' } } };

/** The probes that the kubelet must use for some values. */
const probes: readonly (readonly [values: object, probes: readonly string[]])[] = [
  [{}, ['httpGet: { path: /livez, port: http }', 'httpGet: { path: /readyz, port: http }']],
  [
    { gateway: { listen: { tls } }, secrets: { files } },
    ['httpGet: { path: /livez, port: http, scheme: HTTPS }', 'httpGet: { path: /readyz, port: http, scheme: HTTPS }'],
  ],
  [
    {
      gateway: { listen: { tls: { ...tls, client_ca: clientCa, client_certificates: 'request' } } },
      secrets: { files },
    },
    ['httpGet: { path: /livez, port: http, scheme: HTTPS }', 'httpGet: { path: /readyz, port: http, scheme: HTTPS }'],
  ],
  [
    { gateway: { listen: { tls: { ...tls, client_ca: clientCa } } }, secrets: { files } },
    [
      'exec: { command: [gw, health, --config=/etc/gatewright/gateway.json, --live] }',
      'exec: { command: [gw, health, --config=/etc/gatewright/gateway.json] }',
    ],
  ],
  [sidecar, ['exec: { command: [gw, health] }']],
  [
    { ...sidecar, gateway: { listen: { tls } }, secrets: { files } },
    ['exec: { command: [gw, health, --config=/etc/gatewright/gateway.json] }'],
  ],
];

for (const [values, expected] of probes) {
  const { stdout, stderr } = renderWith(values);
  const found = [...new Set(stdout.match(/(?:httpGet|exec): .*/g))];
  if (`${found}` !== `${expected}`) throw new Error(`${JSON.stringify(values)} is probed by ${found}:\n${stderr}`);
}
process.stdout.write(`${probes.length} sets of values have the probes that belong to them.\n`);

const longest = Array.from({ length: 4 }, () => 'own'.repeat(20)).join('.');
const { stdout: ofLongest } = renderWith({ secrets: { files: [{ secret: longest }] } });
const volumes = ofLongest.match(/- name: secret-.*/g) ?? [];
if (volumes.length !== 2 || volumes.some((name) => !/^- name: [a-z0-9-]{1,63}$/.test(name)))
  throw new Error(`The Secret ${longest} has a volume whose name Kubernetes refuses: ${volumes}`);

/** Names that YAML would read as numbers or booleans. */
const oddNames = {
  ...{ nameOverride: '123', fullnameOverride: '456', priorityClassName: '7e1' },
  secrets: {
    env: ['GW_SERVICE_KEY', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY'].map((name) => ({ name, secret: '89', key: '1.10' })),
    files: [{ secret: '012' }],
  },
  autoscaling: { enabled: true, metric: 'true' },
};
const { stdout: ofOddNames, stderr: oddError } = renderWith(oddNames);
const readAsOther = ofOddNames.match(
  /(?:name|[a-zA-Z]+Name|key|app\.kubernetes\.io\/\w+): (?:123|456|7e1|89|1\.10|012|true)$/gm,
);
if (readAsOther !== null || !ofOddNames.includes('key: "1.10"'))
  throw new Error(`The chart writes names that are not texts: ${readAsOther}\n${oddError}`);

/** Whether a message must be in the notes that helm prints after an installation with some values. */
const notes: readonly (readonly [values: object, message: RegExp, isSaid: boolean])[] = [
  [{ gateway: { store: { url: '${env:DATABASE_URL}' } } }, /Each gateway counts limits by itself/, true],
  [{ gateway: { store: { url: '${env:DATABASE_URL}' } }, replicas: 1 }, /Each gateway counts limits by itself/, false],
  [
    { gateway: { store: { url: '${env:DATABASE_URL}', limits: { url: 'redis://redis:6379' } } } },
    /counts limits alone/,
    false,
  ],
  [{}, /counts limits alone/, false],
];

/** A copy of the chart with its notes in a manifest, because only an installation, which needs a cluster, prints them. */
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

// An installation needs a cluster, so what it would send there is rendered instead.
const rendered = (command: string): readonly string[] => {
  const [, verb, ...args] = command.split(' ');
  return verb === 'install' ? ['template', ...cluster, ...args] : ['template', ...args];
};

for (const page of chartRecipes)
  followRecipe(page, (command, cwd) => {
    const { status, stderr } = spawnSync(program, rendered(command), { encoding: 'utf8', cwd });
    if (status !== 0) throw new Error(`${page}: ${command}:\n${stderr}`);
  });
process.stdout.write(`${chartRecipes.flatMap(recipeCommands).length} commands of recipes render.\n`);
