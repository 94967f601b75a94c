import { globSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartFolder, manifestHeader, valuesFile } from '../../deploy/helm/manifest-sets.ts';
import { chartRecipes, recipeCommands } from '../../deploy/helm/recipe-commands.ts';
import { refusedValues } from '../../deploy/helm/refused-values.ts';
import { builtinGuardrails } from '../../plugins/guardrails/builtin-guardrails.ts';
import type { ParameterSchema } from '../../plugins/sdk/parameters/from-schema.ts';
import { credentialFields, firstSpelling, secondSpellings } from '../../schema/config/provider-fields.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import { root } from '../../tools/build/package-modules.ts';
import { readRecipe } from '../docs/support/recipe-pages.ts';
import { runCommand } from '../support/commands/run-command.ts';
import { runGw } from '../support/commands/run-gw.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';
import { readFences } from '../support/readme/read-fences.ts';
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

/** Returns the compiler errors for manifests as values of the Kubernetes types, which allow no other members. */
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
  it.each(manifestFiles)('match the chart: %s', (set, file) => {
    expect(manifestText(file).startsWith(manifestHeader(set)), 'Run: npm run deploy:helm').toBe(true);
  });

  it.each(named)('match the schema of Kubernetes: %s', async (_name, manifest) => {
    expect(await schemaErrors(manifest)).toBe('');
  });

  it('have no member that Kubernetes does not know', async () => {
    expect(await typeErrors(all.map(({ manifest }) => manifest))).toBe('');
  });

  it('would fail these checks if they were wrong', async () => {
    const [deployment] = all.flatMap(({ manifest }) => (manifest.kind === 'Deployment' ? [manifest] : []));
    if (deployment === undefined) throw new Error('There is no Deployment.');
    const wrong = structuredClone(deployment);
    Object.assign(wrong.spec, { replicas: 'two' });
    expect(await schemaErrors(wrong)).toContain('replicas must be integer');
    const misspelt = structuredClone(deployment);
    Object.assign(misspelt.spec.template.spec.securityContext, { runAsNonroot: true });
    expect(await typeErrors([misspelt])).toMatch(/runAsNonroot/);
  });

  it('contain no Secret', () => {
    expect(all.filter(({ manifest }) => manifest.kind === 'Secret')).toEqual([]);
  });
});

/** Merges the values of a user from two files, of which the later one takes precedence. */
const mergeValues = (before: Json, given: Json): Json =>
  isJsonObject(before) && isJsonObject(given)
    ? {
        ...before,
        ...Object.fromEntries(
          Object.entries(given).map(([name, value]) => [name, mergeValues(before[name] ?? null, value)]),
        ),
      }
    : given;

/**
 * Merges the values of a user into those of the chart, where null removes a value, as Helm does before it applies its schema.
 */
const withChartValues = (chart: Json, given: Json): Json => {
  if (!isJsonObject(chart) || !isJsonObject(given)) return given;
  const joined = Object.entries({ ...chart, ...given }).filter(
    ([name, value]) => value !== null || !Object.hasOwn(chart, name),
  );
  return Object.fromEntries(
    joined.map(([name, value]) => [name, name in given ? withChartValues(chart[name] ?? null, value) : value]),
  );
};

/** Returns values of a schema, each with a text for one of its secrets, and nothing else. */
const secretExamples = (schema: ParameterSchema, text: string): readonly JsonObject[] => {
  const { properties = {}, additionalProperties } = schema;
  const members = { ...properties, ...(typeof additionalProperties === 'object' && { own: additionalProperties }) };
  return Object.entries(members).flatMap(([name, member]): readonly JsonObject[] =>
    member.format === 'secret'
      ? [{ [name]: text }]
      : secretExamples(member, text).map((example) => ({ [name]: example })),
  );
};

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

  it('run without privileges', () => {
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

  it('leave time for the drain', () => {
    const drain = gateway.args?.map((each) => /^--drain-ms=(\d+)$/.exec(each)?.[1]).find((each) => each !== undefined);
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(Number(drain));
  });

  it('get their secrets by reference', () => {
    const set = gateway.env?.filter(({ value }) => value !== undefined).map(({ name }) => name);
    expect(set).toEqual(['HOST', 'PORT']);
  });

  it('give an application beside the gateway its address, and a key that its client requires to start', () => {
    const [{ name, env } = gateway] = pod.containers;
    const own = Object.fromEntries((env ?? []).map((each) => [each.name, each.value]));
    if (name === 'app')
      expect(own).toEqual({
        OPENAI_BASE_URL: 'http://127.0.0.1:8787/v1',
        OPENAI_API_KEY: 'none-is-needed-beside-the-gateway',
      });
    else expect(name).toBe('gatewright');
  });

  it('are probed at paths that the gateway serves, or with its own command', () => {
    const probes = JSON.stringify([gateway.startupProbe, gateway.readinessProbe]);
    const isSidecar = file === 'sidecar.yaml';
    const expected = isSidecar ? ['["gw","health"]', '["gw","health"]'] : ['"/livez"', '"/readyz"'];
    expect(probes.match(/"\/\w+"|\["gw","\w+"\]/g)).toEqual(expected);
    expect(gateway.env?.[0]?.value).toBe(isSidecar ? '127.0.0.1' : '0.0.0.0');
  });

  it('contain a gateway file and configs that pass gw check', async () => {
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

/** Returns the keys of the Secret that a manifest reads, as variables and as files. */
const secretKeys = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/secretKeyRef:\s+name: gatewright\s+key: (\S+)|\/run\/secrets\/gatewright\/([\w-]+)/g)].flatMap(
      ([, variable, file]) => [variable ?? file ?? []].flat(),
    ),
  );

describe('the recipe of the plain manifests', () => {
  const page = readRecipe('kubernetes-manifests.md');

  it.each(['gateway.yaml', 'gateway-stored.yaml', 'gateway-monitored.yaml'])(
    'creates the Secret that %s requires',
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

describe('the recipes of the chart', () => {
  const { kubeVersion } = parse(readFileSync(path.join(chartFolder, 'Chart.yaml'), 'utf8'));
  const [, least] = /^>=1\.(\d+)\.0-0$/.exec(kubeVersion) ?? [];
  const commands = chartRecipes.flatMap(recipeCommands);
  const templates = commands.filter((command) => command.startsWith('helm template '));

  it('have helm commands', () => {
    expect(commands.length).toBeGreaterThan(templates.length);
    expect(templates.length).toBeGreaterThan(1);
  });

  it.each(templates)(
    'specify the Kubernetes version, which helm template cannot find out without a cluster: %s',
    (command) => {
      const [, minor] = /--kube-version 1\.(\d+)\.0(?: |$)/.exec(command) ?? [];
      expect(Number(minor)).toBeGreaterThanOrEqual(Number(least));
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
    validate(withChartValues(defaults, values as Json))
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);

  it('accepts the defaults, and describes all of them', () => {
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
    // Helm itself sets this value.
    expect(missing(defaults, schema, '')).toEqual(['/global']);
  });

  it.each(manifestFiles)('accepts the values of %s', (set) => {
    expect(errors(parse(readFileSync(valuesFile(set), 'utf8')))).toEqual([]);
  });

  it("has no pattern that Go's regular expressions, which Helm uses, do not support", () => {
    expect(JSON.stringify(schema).match(/"pattern":"(?:[^"\\]|\\.)*\(\?(?!:)/g)).toBeNull();
  });

  it('uses no allOf, for which Helm adds a second message to each mistake', () => {
    const { properties, definitions } = schema;
    for (const part of [schema, properties.gateway, definitions.gateway_file, definitions.config])
      expect(Object.keys(part)).not.toContain('allOf');
  });

  it.each(chartRecipes)('accepts the values of the recipe %s', (page) => {
    const values = readFences(readRecipe(page)).flatMap(({ language, text }) => (language === 'yaml' ? [text] : []));
    expect(values).not.toEqual([]);
    expect(values.flatMap((text) => errors(parse(text)))).toEqual([]);
  });

  const gatewayValues: Json = parse(readFileSync(valuesFile('gateway'), 'utf8'));
  const withGateway = (values: Json): Json => mergeValues(gatewayValues, values);
  const templates = globSync('templates/*', { cwd: chartFolder }).map((file) =>
    readFileSync(path.join(chartFolder, file), 'utf8'),
  );
  const refusals = templates.flatMap((text) =>
    [...text.matchAll(/\bfail (?:\(printf )?"([^"]+)"/g)].map(([, format = '']) => ({
      format,
      pattern: new RegExp(
        `^${format
          .replace(/[^\w\s%]/g, '\\$&')
          .replaceAll('%s', '[\\w./]+')
          .replaceAll('%d', '\\d+')}$`,
      ),
    })),
  );

  it.each(refusedValues.flatMap(({ values, schema: error }) => (error === undefined ? [] : [{ values, error }])))(
    'rejects $values: $error',
    ({ values, error }) => {
      expect(errors(withGateway(values))).toContain(error);
    },
  );

  const byTemplate = refusedValues.filter(({ schema: error }) => error === undefined);

  it.each(byTemplate)('leaves $values to a template, which fails with $helm', ({ values, helm }) => {
    expect(errors(withGateway(values))).toEqual([]);
    expect(refusals.filter(({ pattern }) => pattern.test(helm))).toHaveLength(1);
  });

  it('npm run deploy:helm tests each refusal of a template with helm', () => {
    const untried = refusals.filter(({ pattern }) => !byTemplate.some(({ helm }) => pattern.test(helm)));
    expect(untried.map(({ format }) => format)).toEqual([]);
    expect(refusals.length).toBeGreaterThan(5);
  });

  it("accepts metrics on the loopback address beside an application, where only the pod's containers read them", () => {
    const sidecar = { mode: 'sidecar', sidecar: { app: { image: 'app' } } };
    expect(errors({ ...sidecar, gateway: { metrics: { host: '127.0.0.1' } } })).toEqual([]);
  });

  const single = { strategy: { mode: 'single' } };

  describe.each([
    ['of a config', (config: object): object => config],
    ['of a target', (config: object): object => ({ ...single, targets: [{ ...single, targets: [config] }] })],
  ])('credentials %s', (_where, inside) => {
    const found = (config: object): readonly string[] =>
      errors({ configs: { chat: inside({ provider: 'openai', ...config }) } });
    const fields = [...credentialFields, ...Object.keys(secondSpellings)].filter((field) =>
      credentialFields.some((each) => each === firstSpelling(field)),
    );

    it.each(fields)('must be references: %s', (field) => {
      expect(fields).toContain('Authorization');
      expect(found({ [field]: 'sk-real-secret-123456' })).not.toEqual([]);
      expect(found({ [field]: { private_key: 'real' } })).not.toEqual([]);
      if (field === 'cloudb_service_account_json') return;
      expect(found({ [field]: '${env:KEY}' })).toEqual([]);
      expect(found({ [field]: '${file:/run/secrets/own/key}' })).toEqual([]);
      expect(found({ [field]: '' })).toEqual([]);
    });

    it('must be references in a pool of keys and after the scheme of a header', () => {
      expect(found({ keys: [{ api_key: 'sk-real' }] })).not.toEqual([]);
      expect(found({ keys: [{ api_key: '${env:KEY}' }] })).toEqual([]);
      expect(found({ Authorization: 'Bearer sk-real' })).not.toEqual([]);
      expect(found({ Authorization: 'Bearer ${env:KEY}' })).toEqual([]);
    });
  });

  const secretsOf = (id: string, text: string): readonly object[] => {
    const { parameters } = builtinGuardrails.find((guardrail) => guardrail.id === id) ?? {};
    return parameters === undefined ? [] : secretExamples(parameters, text);
  };
  const checks = builtinGuardrails.map(({ id }) => id).filter((id) => secretsOf(id, '').length > 0);

  it.each(checks)('accepts the secrets of the check %s only as references', (id) => {
    const found = (parameters: object): readonly (readonly string[])[] => [
      errors({ configs: { chat: { provider: 'echo', input_guardrails: [{ [id]: parameters }] } } }),
      errors({
        configs: { chat: { provider: 'echo', output_guardrails: [{ [id.replace(/^default\./, '')]: parameters }] } },
      }),
      errors({
        configs: { chat: { provider: 'echo', before_request_hooks: [{ id: 'own', checks: [{ id, parameters }] }] } },
      }),
      errors({ gateway: { guardrails: { own: { [id]: parameters } } } }),
    ];
    expect(checks).toContain('bedrock.guard');
    for (const parameters of secretsOf(id, 'sk-real'))
      for (const each of found(parameters)) expect(each).not.toEqual([]);
    for (const parameters of secretsOf(id, '${env:KEY}')) expect(found(parameters).flat()).toEqual([]);
  });
});
