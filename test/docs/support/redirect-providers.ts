import { parse, parseDocument } from 'yaml';
import type { Json, JsonObject } from '../../../schema/json/json.ts';

/** The paths at the end of providers' base URLs that are not `/v1`. */
const basePaths: Readonly<Record<string, string>> = { 'azure-openai': '/openai', cohere: '' };

/** Whether a provider needs no address: it is a saved one, or it answers within the process. */
const isElsewhere = (provider: Json | undefined): provider is string =>
  typeof provider === 'string' && !provider.startsWith('@') && provider !== 'echo';

const toHost = (provider: string, origin: string): string => `${origin}/${provider}${basePaths[provider] ?? '/v1'}`;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns a saved provider of a gateway file or a store with the address of the fake providers, unless it has its own
 * address.
 */
const redirectSaved = (saved: JsonObject, origin: string): JsonObject => {
  const { provider, settings } = saved;
  const own = isObject(settings) ? settings : {};
  if (!isElsewhere(provider) || own.custom_host !== undefined) return saved;
  return { ...saved, settings: { ...own, custom_host: toHost(provider, origin) } };
};

const redirectConfig = (config: JsonObject, origin: string): JsonObject => {
  const { provider, custom_host: host, targets } = config;
  return {
    ...config,
    ...(isElsewhere(provider) && host === undefined ? { custom_host: toHost(provider, origin) } : {}),
    ...(Array.isArray(targets)
      ? { targets: targets.map((target) => (isObject(target) ? redirectConfig(target, origin) : target)) }
      : {}),
  };
};

/** The tables of a gateway file that save providers. */
const savedTables = ['providers', 'virtual_keys'] as const;

const redirectGateway = (gateway: JsonObject, origin: string): JsonObject => {
  const tables = savedTables.flatMap((table): readonly (readonly [string, JsonObject])[] => {
    const saved = gateway[table];
    if (!isObject(saved)) return [];
    const entries = Object.entries(saved).map(([slug, each]): readonly [string, Json] => [
      slug,
      isObject(each) ? redirectSaved(each, origin) : each,
    ]);
    return [[table, Object.fromEntries(entries)]];
  });
  return tables.length === 0 ? gateway : { ...gateway, ...Object.fromEntries(tables) };
};

/** Returns a YAML text with the members that were added to its value. */
const withAdded = (text: string, before: JsonObject, after: JsonObject): string => {
  const document = parseDocument(text);
  const add = (old: Json | undefined, value: Json, at: readonly string[]): void => {
    if (old === undefined) document.setIn(at, value);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inside] of Object.entries(value)) add((old as JsonObject)[name], inside, [...at, name]);
  };
  add(before, after, []);
  return String(document);
};

const rules: readonly (readonly [RegExp, (json: JsonObject, origin: string) => JsonObject])[] = [
  [/^(?:gateway\/)?[\w-]+\.(?:json|yaml)$/, redirectGateway],
  [/^configs(?:-[\w-]+)?\/.*\.(?:json|yaml)$/, redirectConfig],
  [/(?:^|\/)providers\/[^/]+\.json$/, redirectSaved],
];

/** Returns a file of a recipe with the addresses of providers replaced by those of the fake ones: `ORIGIN/openai/v1`. */
export const redirectProviders = (file: string, text: string, origin: string): string => {
  const rule = rules.find(([name]) => name.test(file))?.[1];
  if (rule === undefined) return text;
  const isYaml = file.endsWith('.yaml');
  const json: Json = isYaml ? parse(text, { merge: true }) : JSON.parse(text);
  if (!isObject(json)) return text;
  const redirected = rule(json, origin);
  if (redirected === json) return text;
  return isYaml ? withAdded(text, json, redirected) : JSON.stringify(redirected, null, 2);
};
