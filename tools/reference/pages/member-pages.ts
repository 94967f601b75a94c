import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inheritance } from '../../../compiler/resolve/tree/inheritance.ts';
import { validateGatewayFile } from '../../../schema/generated/validate-gateway-file.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { root as folder } from '../../build/package-modules.ts';
import { builtExamples } from '../built-example.ts';
import { configExample } from '../config-example.ts';
import { code, described, prose, type ReferencePage, table, toPage } from '../markdown.ts';
import { memberDiagnostics } from '../member-diagnostics.ts';
import { type MemberFacts, memberEntries, memberLink } from '../member-entries.ts';
import { listMembers, type Member, typeText } from '../member-tree.ts';

interface Area {
  readonly name: string;
  readonly title: string;
  /** The outermost members on the page, or a deeper one. */
  readonly members: readonly string[];
}

const configAreas: readonly Area[] = [
  {
    name: 'targets',
    title: 'Targets and providers',
    members: [
      ...['name', 'provider', 'api_key', 'keys', 'accounts', 'virtual_key', 'prompt_id', 'override_params'],
      ...['custom_host', 'forward_headers', 'strict_llmv_compliance'],
    ],
  },
  { name: 'strategy', title: 'Strategies', members: ['strategy', 'targets', 'weight', 'on_status_codes'] },
  { name: 'conditions', title: 'Conditions', members: ['strategy.conditions'] },
  {
    name: 'bounds',
    title: 'Retries, times and costs',
    members: ['retry', 'request_timeout', 'deadline_ms', 'max_cost_usd'],
  },
  { name: 'circuits', title: 'Circuit breakers', members: ['cb_config', 'breaker', 'probe'] },
  { name: 'cache', title: 'Caches', members: ['cache'] },
  {
    name: 'guardrails',
    title: 'Guardrails',
    members: ['input_guardrails', 'output_guardrails', 'before_request_hooks', 'after_request_hooks'],
  },
  { name: 'mirror', title: 'Mirrors', members: ['mirror'] },
  {
    name: 'provider-settings',
    title: 'Settings of Azure, Bedrock, Vertex AI and OpenAI',
    members: [
      ...['resource_name', 'deployment_id', 'api_version', 'deployments', 'llmv_organization', 'llmv_project'],
      ...['cloudc_access_key_id', 'cloudc_secret_access_key', 'cloudc_region', 'cloudc_session_token'],
      ...['cloudb_project_id', 'cloudb_region', 'cloudb_service_account_json', 'clouda_region'],
      ...['clouda_deployment_name', 'clouda_deployment_type', 'clouda_endpoint_name', 'clouda_api_version'],
      ...['clouda_resource_name', 'clouda_deployment_id', 'clouda_model_name', 'Authorization'],
    ],
  },
];

const gatewayAreas: readonly Area[] = [
  {
    name: 'server',
    title: 'Listening, workers and limits',
    members: ['$schema', 'listen', 'workers', 'limits', 'spool_dir', 'overload'],
  },
  {
    name: 'access',
    title: 'Service keys, labels, hosts and the proxy',
    members: ['auth', 'cors', 'metadata', 'trusted_hosts', 'trusted_authorities', 'proxy'],
  },
  {
    name: 'saved',
    title: 'Configs, virtual models, providers, guardrails and plugins',
    members: ['configs', 'default_config', 'models', 'providers', 'virtual_keys', 'guardrails', 'plugins'],
  },
  { name: 'models', title: 'Prices and facts of models', members: ['prices', 'model_facts'] },
  {
    name: 'requests',
    title: 'The treatment of requests',
    members: [
      ...[
        'pass_through',
        'pass_through_headers',
        'judged_turns',
        'unjudged_members',
        'unknown_headers',
        'unsaved_routing',
        'accept',
        'on_loss',
      ],
      ...['prompt_cache', 'cache'],
    ],
  },
  { name: 'logs', title: 'Logs, metrics and traces', members: ['log', 'usage', 'metrics', 'telemetry'] },
  { name: 'alerts', title: 'Alerts', members: ['alerts'] },
  { name: 'store', title: 'The store', members: ['store'] },
];

const readSchema = (file: string): JsonObject => JSON.parse(readFileSync(path.join(folder, 'schema', file), 'utf8'));

/** Returns the area of a member: the one that names the longest part of its path. Throws if there is none. */
const findArea = ({ path: own }: Member, areas: readonly Area[]): Area => {
  const lengths = areas.map(({ members }) =>
    Math.max(
      0,
      ...members
        .filter((each) => own === each || (/^[.[]/.test(own.slice(each.length)) && own.startsWith(each)))
        .map(({ length }) => length),
    ),
  );
  const longest = Math.max(...lengths);
  const found = areas[lengths.indexOf(longest)];
  if (longest === 0 || found === undefined)
    throw new Error(`The member ${own} is on no page: add it to an area in tools/reference/pages/member-pages.ts.`);
  return found;
};

interface Document {
  readonly folder: string;
  readonly title: string;
  readonly schema: string;
  readonly areas: readonly Area[];
  readonly intro: readonly string[];
  example(member: Member, root: JsonObject): Json;
  facts(members: readonly Member[], pages: ReadonlyMap<string, string>): MemberFacts['facts'];
}

const inherited = (name: string): readonly string[] => {
  const row = lookUp(inheritance, name);
  const rule = row === 'unit' ? 'replace' : typeof row === 'object' ? row.rule : undefined;
  if (row === undefined) return [];
  if (rule === undefined) return ['Inherited: no'];
  return rule === 'merge'
    ? ["Inherited: yes, member by member; a target's own members take precedence over those of its group"]
    : ['Inherited: yes, unless a target has its own'];
};

/** A member of an inherited field is inherited with it. */
const inheritedWith = (name: string): readonly string[] =>
  inherited(name).some((line) => line.startsWith('Inherited: yes')) ? [`Inherited: with ${code(name)}`] : [];

const config: Document = {
  folder: 'config',
  title: 'Config',
  schema: 'config.schema.json',
  areas: configAreas,
  intro: [
    'A config defines how requests are routed: to a single provider, or to targets that a strategy chooses from. It is a file (JSON, JSONC or YAML), is saved in a store, or is sent with a request in `x-gw-config`. Each target is a config itself. Members that are marked as inherited also apply to the targets of a group.',
    'Each example is a complete config that compiles: `gw check FILE` reports nothing if the names in it exist (`@openai-prod` stands for one of your providers).',
  ],
  example: (member, root) => configExample(member, root).config,
  facts: (members) => {
    const diagnostics = memberDiagnostics(members);
    return ({ path: own, keys: [first = '', ...rest] }) => {
      const codes = diagnostics.get(own) ?? [];
      return [
        ...(rest.length === 0 ? inherited(first) : inheritedWith(first)),
        ...(codes.length === 0
          ? []
          : [`Diagnostics: ${codes.map((each) => `[\`${each}\`](../diagnostics/${each}.md)`).join(', ')}`]),
      ];
    };
  },
};

/** The provider that examples call `@openai`. */
const savedOpenai: JsonObject = {
  openai: { provider: 'openai', credential: { api_key: '${env:OPENAI_API_KEY}' } },
};

const withSaved = (example: Json): Json =>
  isJsonObject(example) && JSON.stringify(example).includes('"@openai') && example.providers === undefined
    ? { providers: savedOpenai, ...example }
    : example;

const gatewayExample = (member: Member, root: JsonObject): Json => {
  const found = builtExamples(member, root)
    .map(withSaved)
    .find((each) => validateGatewayFile(each).length === 0);
  if (found === undefined)
    throw new Error(`No example of ${member.path} is valid: add one to "examples" of schema/gateway.schema.json.`);
  return found;
};

const gatewayFile: Document = {
  folder: 'gateway-file',
  title: 'Gateway file',
  schema: 'gateway.schema.json',
  areas: gatewayAreas,
  intro: [
    'The file `gateway.json` (or `.jsonc`, `.yaml`) in the folder where `gw serve` is started, or the file that `--config FILE` names. All of its members are optional.',
    '`${env:NAME}` and `${file:/path}` are references, which are resolved when the gateway starts. Each example is a complete gateway file.',
  ],
  example: gatewayExample,
  facts: () => () => [],
};

const membersOf = (root: JsonObject, areas: readonly Area[]): readonly Member[] =>
  listMembers(
    root,
    areas.flatMap((area) => area.members),
  );

/** Returns the first sentence of a description, or all of one that lists the values of a member: "`single`: …. `fallback`: …." */
const toSummary = (text: string): string => (/^`\w+`: /.test(text) ? text : (text.split(/(?<=\.) /)[0] ?? ''));

const toPages = (document: Document): readonly ReferencePage[] => {
  const { folder: place, title, schema: file, areas, intro } = document;
  const root = readSchema(file);
  const members = membersOf(root, areas);
  const pages = new Map(members.map((member) => [member.path, `${findArea(member, areas).name}.md`]));
  const facts = document.facts(members, pages);
  const all: MemberFacts = { root, pages, facts, example: (member) => document.example(member, root) };
  const from = `schema/${file}`;
  const ofArea = (area: Area): readonly Member[] => members.filter((each) => findArea(each, areas) === area);
  const row = (member: Member): readonly string[] => [
    memberLink(member.path, pages),
    typeText(member.schema, root),
    prose(toSummary(described(String(member.schema.description ?? ''), member.path))),
  ];
  return [
    toPage(`${place}/README.md`, {
      title,
      from,
      parts: [
        ...intro,
        ...areas.flatMap((area) => [
          `## ${area.title}`,
          table(
            ['member', 'type', 'description'],
            ofArea(area)
              .filter(({ keys }) => keys.length <= 2)
              .map(row),
          ),
        ]),
      ],
    }),
    ...areas.map((area) =>
      toPage(`${place}/${area.name}.md`, {
        title: `${title}: ${area.title}`,
        from,
        parts: [`[All members](README.md)`, ...memberEntries(ofArea(area), all)],
      }),
    ),
  ];
};

/** Returns the headings of the members of configs or of gateway files. Each is the path of a member. */
export const memberHeadings = (of: 'config' | 'gateway file'): readonly string[] => {
  const { schema, areas } = of === 'config' ? config : gatewayFile;
  return membersOf(readSchema(schema), areas).map((member) => member.path);
};

/** Creates the pages of the members of configs and of gateway files, one for each area. */
export const memberPages = (): readonly ReferencePage[] => [config, gatewayFile].flatMap(toPages);
