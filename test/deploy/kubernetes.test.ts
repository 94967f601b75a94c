import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartFolder, manifestHeader, valuesFile } from '../../deploy/helm/manifest-sets.ts';
import { readRecipe } from '../docs/support/recipe-pages.ts';
import { root } from '../support/package-modules.ts';
import { readFences } from '../support/readme/read-fences.ts';
import { runCommand } from '../support/run-command.ts';
import { runGw } from '../support/run-gw.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  type Container,
  type Manifest,
  manifestFiles,
  manifestText,
  modelOf,
  readManifests,
} from './support/manifests.ts';

const all = manifestFiles.flatMap(([, file]) => readManifests(file).map((manifest) => ({ file, manifest })));
const named = all.map(
  ({ file, manifest }) => [`${file} ${manifest.kind} ${manifest.metadata.name}`, manifest] as const,
);

const schemaErrors = async (manifest: Manifest): Promise<string> => {
  const { [manifest.kind]: Model } = await import(modelOf(manifest));
  try {
    new Model(manifest).validate();
    return '';
  } catch (error) {
    return String(error);
  }
};

/** What the compiler says of manifests as values of the types of Kubernetes, which know no other members. */
const typeErrors = async (manifests: readonly Manifest[]): Promise<string> => {
  const texts = manifests.map(
    (manifest, at) => `import type { I${manifest.kind} as T${at} } from '${modelOf(manifest)}';
export const manifest${at}: T${at} = ${JSON.stringify(manifest)};\n`,
  );
  const compilerOptions = { module: 'esnext', moduleResolution: 'bundler', strict: true, noEmit: true, types: [] };
  const folder = temporaryFolder({
    'tsconfig.json': { compilerOptions: { ...compilerOptions, skipLibCheck: true }, files: ['manifests.ts'] },
    'manifests.ts': texts.join(''),
  });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const { stdout } = await runCommand([path.join(root, 'node_modules/.bin/tsc'), '-p', folder, '--pretty', 'false'], {
    cwd: folder,
  });
  return stdout;
};

describe('the plain manifests', () => {
  it.each(manifestFiles)('are those of the chart: %s', (set, file) => {
    expect(manifestText(file).startsWith(manifestHeader(set)), 'Run: npm run deploy:helm').toBe(true);
  });

  it.each(named)('have the schema of Kubernetes: %s', async (_name, manifest) => {
    expect(await schemaErrors(manifest)).toBe('');
  });

  it('have no member that Kubernetes does not know', async () => {
    expect(await typeErrors(all.map(({ manifest }) => manifest))).toBe('');
  });

  it('would be found to be wrong', async () => {
    const [deployment] = all.flatMap(({ manifest }) => (manifest.kind === 'Deployment' ? [manifest] : []));
    if (deployment === undefined) throw new Error('There is no Deployment.');
    const wrong = structuredClone(deployment);
    Object.assign(wrong.spec, { replicas: 'two' });
    expect(await schemaErrors(wrong)).toContain('replicas must be integer');
    const misspelt = structuredClone(deployment);
    Object.assign(misspelt.spec.template.spec.securityContext, { runAsNonroot: true });
    expect(await typeErrors([misspelt])).toMatch(/runAsNonroot/);
  });

  it('have no Secret: gw check says of their configs that secrets are references', () => {
    expect(all.filter(({ manifest }) => manifest.kind === 'Secret')).toEqual([]);
  });
});

const deployments = all.filter(({ manifest }) => manifest.kind === 'Deployment');

const gatewayOf = (manifest: Manifest): Container => {
  const { containers, initContainers = [] } = manifest.spec.template.spec;
  const found = [...containers, ...initContainers].find(({ name }) => name === 'gatewright');
  if (found === undefined) throw new Error('There is no container gatewright.');
  return found;
};

describe.each(deployments)('the pods of $file', ({ file, manifest }) => {
  const pod = manifest.spec.template.spec;
  const gateway = gatewayOf(manifest);

  it('run without a privilege', () => {
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const { securityContext } of [...pod.containers, ...(pod.initContainers ?? [])])
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
  });

  it('have time for the drain', () => {
    const drain = gateway.args?.map((each) => /^--drain-ms=(\d+)$/.exec(each)?.[1]).find((each) => each !== undefined);
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(Number(drain));
  });

  it('get their secrets by reference', () => {
    const set = gateway.env?.filter(({ value }) => value !== undefined).map(({ name }) => name);
    expect(set).toEqual(['HOST', 'PORT']);
  });

  it('are asked at paths that the gateway has, or by its own command', () => {
    const probes = JSON.stringify([gateway.startupProbe, gateway.readinessProbe]);
    const isSidecar = file === 'sidecar.yaml';
    const expected = isSidecar ? ['["gw","health"]', '["gw","health"]'] : ['"/livez"', '"/readyz"'];
    expect(probes.match(/"\/\w+"|\["gw","\w+"\]/g)).toEqual(expected);
    expect(gateway.env?.[0]?.value).toBe(isSidecar ? '127.0.0.1' : '0.0.0.0');
  });

  it('find a gateway file and configs of which gw check says nothing', async () => {
    const { data = {} } =
      all.find((each) => each.file === file && each.manifest.data?.['gateway.json'] !== undefined)?.manifest ?? {};
    const names = Object.keys(data).filter((name) => name.startsWith('config.'));
    const { 'gateway.json': gatewayFile = '' } = data;
    const here = { ...JSON.parse(gatewayFile), spool_dir: '.' };
    const configs = names.map((name) => [`configs/${name.slice('config.'.length)}`, data[name] ?? ''] as const);
    const folder = temporaryFolder({
      'gateway.json': here,
      'any/echo.json': '{ "provider": "echo" }',
      ...Object.fromEntries(configs),
    });
    const files = configs.length === 0 ? 'any' : 'configs';
    const { out, err } = await runGw(folder, ['check', files, '--config', 'gateway.json', '--max-warnings', '0']);
    expect(`${out}${err}`).toMatch(/^\d+ files?, nothing to report\.\n$/);
  });
});

/** The keys of the Secret that a manifest reads, as variables and as files. */
const secretKeys = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/secretKeyRef:\s+name: gatewright\s+key: (\S+)|\/run\/secrets\/gatewright\/([\w-]+)/g)].flatMap(
      ([, variable, file]) => [variable ?? file ?? []].flat(),
    ),
  );

describe('the recipe of the plain manifests', () => {
  const page = readRecipe('kubernetes-manifests.md');

  it.each(['gateway.yaml', 'gateway-stored.yaml', 'gateway-monitored.yaml'])(
    'makes the Secret that %s wants',
    (file) => {
      const wanted = [...secretKeys(manifestText(file))].sort();
      expect(wanted.length).toBeGreaterThan(1);
      const commands = readFences(page).find(({ text }) => text.includes(`/${file} | kubectl apply`))?.text ?? '';
      expect([...commands.matchAll(/--from-literal=([\w-]+)=/g)].map(([, key]) => key).sort()).toEqual(wanted);
      const row = page.split('\n').find((line) => line.includes(`/${file})`)) ?? '';
      expect([...row.matchAll(/`([\w-]+)`/g)].map(([, key]) => key).sort()).toEqual(wanted);
    },
  );
});

describe('the schema of values', () => {
  const schema = JSON.parse(readFileSync(path.join(chartFolder, 'values.schema.json'), 'utf8'));
  const validate = new Ajv({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
  }).compile(schema);
  const defaults = parse(readFileSync(path.join(chartFolder, 'values.yaml'), 'utf8'));
  const errors = (values: unknown): readonly string[] =>
    validate(values) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);

  it('takes the defaults, and describes all of them', () => {
    expect(errors(defaults)).toEqual([]);
    const missing = (
      value: unknown,
      own: { readonly properties?: Readonly<Record<string, object>> },
      at: string,
    ): readonly string[] =>
      typeof value !== 'object' || value === null || own.properties === undefined
        ? []
        : Object.entries(own.properties).flatMap(([name, inner]) => {
            const { [name]: member } = value as Readonly<Record<string, unknown>>;
            return member === undefined ? [`${at}/${name}`] : missing(member, inner, `${at}/${name}`);
          });
    // Helm itself sets this one.
    expect(missing(defaults, schema, '')).toEqual(['/global']);
  });

  it.each(manifestFiles)('takes the values of %s', (set) => {
    expect(errors(parse(readFileSync(valuesFile(set), 'utf8')))).toEqual([]);
  });

  it('has no pattern that the regular expressions of Go do not know, which Helm has', () => {
    expect(JSON.stringify(schema).match(/"pattern":"(?:[^"\\]|\\.)*\(\?(?!:)/g)).toBeNull();
  });

  it.each(['kubernetes.md', 'kubernetes-sidecar.md'])('takes the values of the recipe %s', (page) => {
    const values = readFences(readRecipe(page)).flatMap(({ language, text }) => (language === 'yaml' ? [text] : []));
    expect(values).not.toEqual([]);
    expect(values.flatMap((text) => errors(parse(text)))).toEqual([]);
  });

  it.each([
    [{ replica: 3 }, ' must NOT have additional properties'],
    [{ replicas: '3' }, '/replicas must be integer'],
    [{ mode: 'pod' }, '/mode must be equal to one of the allowed values'],
    [{ image: { digest: 'abc' } }, '/image/digest must match pattern "^(sha256:[0-9a-f]{64})?$"'],
    [{ secrets: { env: [{ name: 'KEY', value: 'sk-1' }] } }, '/secrets/env/0 must NOT have additional properties'],
    [{ secrets: { env: [{ name: 'KEY', secret: 's' }] } }, "/secrets/env/0 must have required property 'key'"],
    [{ metrics: { port: 8787 } }, '/metrics/port must NOT be valid'],
    [{ autoscaling: { targetMilli: 60000 } }, '/autoscaling/targetMilli must be <= 1000'],
    [{ mode: 'sidecar', sidecar: { app: { image: '' } } }, '/sidecar/app/image must NOT have fewer than 1 characters'],
    [{ gateway: { defaultConfig: 'chat' } }, '/gateway must NOT have additional properties'],
    [{ gateway: { auth: { keys: 'sk' } } }, '/gateway/auth/keys must be array'],
    [{ gateway: { listen: { port: '80' } } }, '/gateway/listen/port must be integer'],
    [{ configs: { chat: { provder: 'openai' } } }, '/configs/chat must NOT have additional properties'],
    [
      { configs: { chat: { targets: [{ retry: { attempts: '3' } }] } } },
      '/configs/chat/targets/0/retry/attempts must be integer',
    ],
    [{ configs: { 'a b': {} } }, '/configs must match pattern "^[A-Za-z0-9][A-Za-z0-9_-]*$"'],
  ])('refuses %j', (values, error) => {
    expect(errors(values)).toContain(error);
  });
});
