/**
 * `npm run deploy:helm`: lints the chart with each set of values, renders the plain manifests of `deploy/kubernetes` from it,
 * and holds that wrong values are refused. It needs helm, which `HELM` names where it is not in the `PATH`.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
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
];

for (const [values, message] of refused) {
  const args = ['template', 'gatewright', ...cluster, chartFolder, '--values', valuesFile('gateway'), '--values', '-'];
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', input: stringify(values) });
  if (status === 0 || !message.test(stderr))
    throw new Error(`helm takes ${JSON.stringify(values)}:\n${stdout}${stderr}`);
}
process.stdout.write(`${refused.length} sets of wrong values are refused.\n`);
