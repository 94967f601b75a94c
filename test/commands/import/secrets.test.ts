import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { deployment, imported, type Made, parsed } from './support.ts';

/** The reference in each created config, by the name of the config. */
const references = (made: Made): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.keys(made.files).flatMap((file) => {
      const name = /^configs\/(.*)\.json$/.exec(file)?.[1];
      return name === undefined ? [] : [[name, /\$\{env:\w+\}/.exec(made.files[file] ?? '')?.[0]]];
    }),
  );

/** The ways in which an entry of a source states its credential. All of these differ. */
const credentials = [
  'sk-literal-a',
  'sk-literal-b',
  'sk-literal-c',
  'OPENAI_API_KEY',
  'OPENAI_API_KEY_2',
  'OTHER_KEY',
] as const;

const isLiteral = (credential: string): boolean => credential.startsWith('sk-');

/** Entries in any order, several of which can have the same credential. */
const entries = fc.array(fc.constantFrom(...credentials), { minLength: 1, maxLength: 8 });

/** Sources that result in one config per entry: `entry-0` and so on. */
const sources: readonly (readonly [kind: string, make: (all: readonly string[]) => object])[] = [
  [
    'litellm',
    (all) => ({
      model_list: all.map((credential, index) => {
        const written = isLiteral(credential) ? credential : `os.environ/${credential}`;
        // LiteLLM reads OPENAI_API_KEY if an entry has no key.
        const key = credential === 'OPENAI_API_KEY' && index % 2 === 0 ? {} : { api_key: written };
        const host = isLiteral(credential) ? { api_base: 'http://127.0.0.1:9000/v1' } : {};
        return { model_name: `entry-${index}`, litellm_params: { model: `openai/m-${index}`, ...key, ...host } };
      }),
    }),
  ],
  [
    'bifrost',
    (all) => ({
      providers: Object.fromEntries(
        all.map((credential, index) => [
          `entry-${index}`,
          {
            custom_provider_config: { base_provider_type: 'openai' },
            keys: [{ value: isLiteral(credential) ? credential : `env.${credential}` }],
          },
        ]),
      ),
    }),
  ],
];

/** Expects a distinct reference for each credential. Credentials that are variables keep their names. */
const expectApart = (all: readonly (readonly [credential: string, reference: string | undefined])[]): void => {
  const made = new Map<string, string | undefined>();
  for (const [credential, reference] of all) {
    expect(reference).toMatch(/^\$\{env:\w+\}$/);
    if (!isLiteral(credential) && !credential.startsWith('@')) expect(reference).toBe(`\${env:${credential}}`);
    expect(made.get(credential) ?? reference).toBe(reference);
    made.set(credential, reference);
  }
  expect(new Set(made.values()).size).toBe(made.size);
};

describe('the variables for secrets in gw import', () => {
  it.each(sources)('are never shared by two credentials of %s', async (kind, make) => {
    await fc.assert(
      fc.asyncProperty(entries, async (all) => {
        const found = references(await imported(kind, make(all)));
        expectApart(all.map((credential, index) => [credential, found[`entry-${index}`]]));
      }),
      { numRuns: 40 },
    );
  });

  it('are never shared by two credentials of Portkey, some of which are saved there', async () => {
    const any = fc.array(fc.constantFrom(...credentials, '@openai', '@google', '@gemini', '@open-ai', '@open_ai'), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(any, async (all) => {
        const targets = all.map((credential) =>
          credential.startsWith('@')
            ? { provider: credential }
            : { provider: 'openai', api_key: isLiteral(credential) ? credential : `{{${credential}}}` },
        );
        const made = await imported('portkey', { strategy: { mode: 'loadbalance' }, targets });
        const { targets: written } = Object(parsed(made, 'configs/source.json'));
        const { providers = {} } = Object(parsed(made, 'gateway.json'));
        expectApart(
          all.map((credential, index) => {
            const { provider, api_key: own } = written[index];
            return [credential, own ?? providers[provider.slice(1)]?.credential.api_key];
          }),
        );
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    [
      'a guardrail',
      { guardrails: [{ guardrail_name: 'a', litellm_params: { api_key: 'os.environ/OPENAI_API_KEY' } }] },
    ],
    ['a cache', { litellm_settings: { cache: true, cache_params: { password: 'os.environ/OPENAI_API_KEY' } } }],
    ['the router', { router_settings: { redis_password: 'os.environ/OPENAI_API_KEY' } }],
    ['the master key', { general_settings: { master_key: 'os.environ/OPENAI_API_KEY' } }],
    [
      'a credential that no model uses',
      { credential_list: [{ credential_name: 'a', credential_values: { api_key: 'os.environ/OPENAI_API_KEY' } }] },
    ],
    ['the environment variables that it sets', { environment_variables: { OPENAI_API_KEY: 'sk-stated' } }],
    ['a part of a text', { general_settings: { header: 'Bearer os.environ/OPENAI_API_KEY' } }],
  ])('never have a name that the file uses for %s', async (_what, more) => {
    const source = { model_list: [deployment('a', { model: 'openai/a', api_key: 'sk-literal' })], ...more };
    expect(parsed(await imported('litellm', source), 'configs/a.json')).toMatchObject({
      api_key: '${env:OPENAI_API_KEY_2}',
    });
  });

  it("are named after a custom host, because the provider's own variable may hold a key not meant for it", async () => {
    const host = { api_base: 'http://vllm.internal:8000/v1' };
    const source = { model_list: [deployment('a', { model: 'openai/a', api_key: 'sk-literal', ...host })] };
    expect(parsed(await imported('litellm', source), 'configs/a.json')).toMatchObject({
      api_key: '${env:API_KEY_OF_VLLM_INTERNAL}',
    });
  });

  it('never have a name that another file uses, in whichever order the files are imported', async () => {
    const literal = { model_list: [deployment('a', { model: 'openai/a', api_key: 'sk-literal' })] };
    const named = { model_list: [deployment('b', { model: 'openai/b', api_key: 'os.environ/OPENAI_API_KEY' })] };
    const folder = temporaryFolder({ 'literal.json': literal, 'named.json': named });
    for (const files of [
      ['literal.json', 'named.json'],
      ['named.json', 'literal.json'],
    ]) {
      const { out } = await runGw(folder, ['import', 'litellm', ...files, '--format', 'json']);
      expect(references(JSON.parse(out))).toEqual({ a: '${env:OPENAI_API_KEY_2}', b: '${env:OPENAI_API_KEY}' });
    }
  });

  it('have different names for a service account that the file names and one that it does not', async () => {
    const google = { model: 'vertex_ai/gemini-3', vertex_project: 'p', vertex_location: 'eu' };
    const named = { vertex_credentials: 'os.environ/GOOGLE_SERVICE_ACCOUNT_JSON' };
    const { files } = await imported('litellm', {
      model_list: [
        { model_name: 'a', litellm_params: google },
        { model_name: 'b', litellm_params: { ...google, ...named } },
      ],
    });
    expect(files['gateway.json']).toContain('"${env:GOOGLE_SERVICE_ACCOUNT_JSON_2}"');
    expect(files['gateway.json']).toContain('"${env:GOOGLE_SERVICE_ACCOUNT_JSON}"');
  });
});
