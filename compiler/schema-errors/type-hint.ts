import { isJsonObject, type Json, type JsonObject, writtenText } from '../../schema/json/json.ts';
import { lookUp } from '../../schema/json/look-up.ts';
import { fromPointer, type JsonPointer } from '../../schema/json/pointer.ts';
import { nullAdvice, typeAdvice } from '../../schema/json-schema/type-advice.ts';
import { suggestName } from '../../schema/text/closest-name.ts';
import { durationMs } from './duration-ms.ts';
import { isReference } from './is-reference.ts';

/** A value of the wrong type. */
export interface WrongType {
  readonly pointer: JsonPointer;
  readonly value: Json | undefined;
  /** JSON Schema types. */
  readonly types: readonly string[];
  /** The types in words: `a list`. */
  readonly expected: string;
  /** For a weight: the list of targets that contains it. */
  readonly group?: Json | undefined;
}

const modes = ['single', 'loadbalance', 'fallback', 'conditional'];
const code = (value: unknown): string => JSON.stringify(value);

/** Whether a value is a word that is short enough for a hint, and of a kind that is never a secret. */
const isName = (value: Json | undefined): value is string =>
  typeof value === 'string' && /^[@\w./-]{1,64}$/.test(value);

/** Returns the address that was probably meant by a port, alone or after a host. */
const listenHint = (value: Json | undefined): string => {
  const [, host = '', digits] = /^(?:(.*):)?(\d{1,5})$/.exec(typeof value === 'object' ? '' : String(value)) ?? [];
  const port = digits !== undefined && Number(digits) <= 65_535 ? Number(digits) : 8787;
  return isName(host) ? `Write { "host": ${code(host)}, "port": ${port} }.` : `Write { "port": ${port} }.`;
};

type ObjectHint = (value: Json | undefined, tokens: readonly string[]) => string | undefined;

const objects: Readonly<Record<string, ObjectHint>> = {
  strategy: (value) => {
    const meant = typeof value === 'string' ? value.toLowerCase() : undefined;
    return `Write { "mode": ${code(modes.find((mode) => mode === meant) ?? 'fallback')} }.`;
  },
  response_format: () => 'Write { "type": "json_object" }.',
  cache: () => 'Write { "mode": "simple" }.',
  retry: (value) => `Write { "attempts": ${typeof value === 'number' && value >= 0 && value <= 5 ? value : 3} }.`,
  breaker: () => 'Write { "by": ["model", "error"] }.',
  probe: () => 'Write { "path": "/models" }.',
  cb_config: () => 'Write { "failure_threshold": 5, "cooldown_interval": 60000 }.',
  targets: (value) => `Write { "provider": ${isName(value) ? code(value) : '"@openai-prod"'} }.`,
  override_params: (value) => typeAdvice('object', value) ?? 'Write { "model": "…" }.',
  query: (value) =>
    Array.isArray(value)
      ? 'Write one object; "$and" and "$or" take lists of queries.'
      : 'Write { "metadata.tier": "gold" }.',
  checks: () => 'Write { "id": "default.contains", "parameters": { … } }.',
  deployments: () => 'Write { "deployment_id": "…", "alias": "…", "api_version": "…" }.',
  plugins: (value) => `Write { "package": ${isName(value) ? code(value) : '"gatewright-plugin-acme"'} }.`,
  keys: (value, [root]) => {
    const key = typeof value === 'string' && isReference(value) ? code(value) : '"…"';
    // Service keys of a gateway file have names; those of a provider have none.
    return root === 'auth' ? `Write { "id": "team-a", "key": ${key} }.` : `Write { "api_key": ${key} }.`;
  },
  listen: listenHint,
  overload: () => 'Write {}; each of its settings has a default.',
  log: () => 'Write { "bodies": false }. GW_LOG=requests prints a line for each request.',
  store: (value) => `Write { "url": ${isName(value) ? code(value) : '"gateway.db"'} }.`,
  conditions: () => 'Write { "query": { "metadata.tier": "gold" }, "then": "…" }.',
};

/** Writes an object that is valid at a place, using the value that is there. */
type ObjectExample = (value: Json | undefined, tokens: readonly string[]) => string;

const price = '{ "input": 2.5, "output": 10 }';

const provider = (value: Json | undefined): string => `{ "provider": ${isName(value) ? code(value) : '"openai"'} }`;

const hook = (value: Json | undefined): string => `{ "id": ${isName(value) ? code(value) : '"my-guardrail"'} }`;

/** Values of objects whose members have names chosen by the user, by the member that contains the object. */
const namedValues: Readonly<Record<string, ObjectExample>> = {
  providers: provider,
  virtual_keys: provider,
  guardrails: () => '{ "default.contains": { "words": ["password"], "operator": "none" } }',
  metadata: (value) => `{ "enum": [${isName(value) ? code(value) : '"free", "gold"'}] }`,
  prices: () => `{ "gpt-5.5": ${price} }`,
  'models of prices': () => price,
  tiers: () => price,
};

/** Writes the objects that have a form of their own, by the member that contains one. */
const examples: Readonly<Record<string, ObjectExample>> = {
  mirror: () => '{ "target": { "provider": "@cheaper" }, "percent": 5 }',
  sticky: (value) => `{ "by": ${value === 'user' || value === 'prompt-prefix' ? code(value) : '"metadata.session"'} }`,
  hedge: (value) => `{ "after_ms": ${typeof value === 'number' && value >= 1 ? Math.round(value) : 800} }`,
  before_request_hooks: hook,
  after_request_hooks: hook,
  feedback: () => '{ "value": -1 }',
  auth: () => '{ "keys": [{ "id": "team-a", "key": "${env:TEAM_A_KEY}" }] }',
  cors: (value) => `{ "origins": [${isName(value) ? code(value) : '"https://app.example.com"'}] }`,
  models: () => '{ "fast": "@openai/gpt-5.4-mini" }',
  providers: () => `{ "openai": ${provider(undefined)} }`,
  virtual_keys: () => `{ "openai": ${provider(undefined)} }`,
  guardrails: () => '{ "no-secrets": { "default.contains": { "words": ["password"], "operator": "none" } } }',
  metadata: (_value, [root]) => (root === 'metadata' ? '{ "plan": { "enum": ["free", "gold"] } }' : '{ "from": "…" }'),
  credential: (value) =>
    `{ "api_key": ${typeof value === 'string' && isReference(value) ? code(value) : '"${env:OPENAI_API_KEY}"'} }`,
  settings: () => '{ "custom_host": "https://models.internal/v1" }',
  tls: (_value, [root]) =>
    root === 'listen'
      ? '{ "cert": "/etc/gateway/tls.crt", "key": "/etc/gateway/tls.key" }'
      : '{ "ca": "${file:/etc/ssl/certs/models.pem}" }',
  certificates: () => '{ "cert": "/etc/gateway/tls.crt", "key": "/etc/gateway/tls.key" }',
  prices: () => `{ "openai": { "gpt-5.5": ${price} } }`,
  tiers: () => '{ "batch": { "input": 1.25, "output": 5 } }',
  model_facts: () => '{ "provider": "vllm", "model": "qwen3-32b", "context": 32768 }',
  semantic: () => '{ "provider": "@openai", "model": "text-embedding-3-small" }',
  telemetry: () => '{ "otlp": { "url": "http://localhost:4318" } }',
  otlp: () => '{ "url": "http://localhost:4318" }',
  headers: () => '{ "authorization": "${env:OTLP_TOKEN}" }',
  alerts: () => '{ "to": [{ "webhook": "https://ops.example.com/gateway" }] }',
  to: () => '{ "webhook": "https://ops.example.com/gateway" }',
  sinks: () => '{ "sink": "webhook", "url": "https://logs.example.com/gateway" }',
  limits: (_value, [root]) =>
    root === 'store' ? '{ "url": "redis://localhost:6379/1" }' : '{ "body_bytes": 33554432 }',
  files: () => '{ "folder": "/var/lib/gateway/files" }',
  audit: () => '{ "keep_days": 400 }',
};

/** Returns the field of a place, which is an item of a list or the list itself. */
const toField = (tokens: readonly string[]): string => {
  const last = tokens.at(-1) ?? '';
  return /^\d+$/.test(last) ? (tokens.at(-2) ?? '') : last;
};

/** Returns the name of the object of which a place is a member; the models of prices are two levels deep. */
const toNaming = (tokens: readonly string[]): string =>
  tokens.at(-3) === 'prices' ? 'models of prices' : (tokens.at(-2) ?? '');

/** A member of YAML without a space after its colon, which makes it a string. */
const unspaced = /^([\w-]+):(\S.*)$/;

/** Returns the hint for a file that is not an object. */
export const wholeHint = (value: Json | undefined): string => {
  if (Array.isArray(value))
    return 'A file holds one config, not a list; put alternatives in "targets", with a "strategy" beside them.';
  if (typeof value !== 'string') return 'Write { … } around the settings.';
  if (value.includes('{'))
    return 'The object is inside a string; remove the quotes around it and the backslashes in it.';
  const [, name] = unspaced.exec(value) ?? [];
  return name === undefined ? 'Write { … } around the settings.' : `Write a space after the colon of "${name}:".`;
};

/** The members of a guardrail that are not checks. */
const guardrailMembers = ['id', 'deny', 'async', 'on_fail', 'on_success'];

const checkMembers =
  'Every member of a guardrail except id, deny, async, on_fail and on_success is a check with an object of parameters.';

const objectHint = (tokens: readonly string[], value: Json | undefined): string | undefined => {
  if (tokens.length === 0) return wholeHint(value);
  if (/^on_(?:fail|success)$/.test(tokens.at(-1) ?? ''))
    return /^(?:before_request_hooks|output_guardrails)$/.test(tokens.at(-3) ?? '')
      ? 'Write { "deny": true }.'
      : 'Write { "feedback": { "value": -1 } }.';
  if (tokens.at(-1) === 'checks')
    return 'The checks of a guardrail are its members, { "default.contains": { … } }; only hooks have "checks".';
  if (tokens.some((token) => /_guardrails$/.test(token)) || (tokens.length === 3 && tokens[0] === 'guardrails'))
    return suggestName(tokens.at(-1) ?? '', guardrailMembers, checkMembers);
  const field = toField(tokens);
  const example = lookUp(namedValues, toNaming(tokens)) ?? lookUp(examples, field);
  return example === undefined ? lookUp(objects, field)?.(value, tokens) : `Write ${example(value, tokens)}.`;
};

const listHint = (tokens: readonly string[], value: Json | undefined): string | undefined => {
  const field = toField(tokens);
  if (field === 'targets' && isJsonObject(value) && Object.values(value).every(isJsonObject))
    return 'Write a list, [{ … }, { … }]; a target is given its name by a "name" member.';
  if (typeof value === 'string' && /^\s*\d{3}(?:\s*,\s*\d{3})*\s*$/.test(value))
    return `Write [${value.split(',').map(Number).join(', ')}].`;
  if (/^forward_headers$|_guardrails$/.test(field) && isName(value)) return `Write [${code(value)}].`;
  return typeAdvice('array', value);
};

const statusClass = (text: string): string | undefined => {
  if (!/^[45](?:xx|\*\*?|\d-)/i.test(text)) return undefined;
  return `Status classes are not read; list each status, such as ${text.startsWith('4') ? '408, 409, 429' : '500, 502, 503, 504'}.`;
};

const isFraction = (value: Json | undefined): boolean => typeof value === 'number' && value > 0 && value < 1;

/**
 * Reads a percentage as the number that was meant: its digits or, for a weight among fractions, the fraction. Undefined for
 * another text.
 */
export const readPercentage = (value: Json | undefined, group?: Json): number | undefined => {
  const [, share] = (typeof value === 'string' && /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(value)) || [];
  if (share === undefined) return undefined;
  const isAmongFractions = Array.isArray(group) && group.some((each) => isJsonObject(each) && isFraction(each.weight));
  return isAmongFractions ? Number(share) / 100 : Number(share);
};

const byteUnits: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** Parses a size as people write it, in bytes: `64MB`, `1 GiB`, `512k`; undefined for any other text. */
const byteCount = (text: string): number | undefined => {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*([kmg]?)(?:i?b|bytes)?$/i.exec(text) ?? [];
  const factor = unit === undefined ? undefined : byteUnits[unit.toLowerCase()];
  return factor === undefined ? undefined : Math.round(Number(amount) * factor);
};

const mebibyte = 1024 ** 2;

/**
 * Returns the hint for a size or a time with its unit, where a number is wanted. The name of the setting states the unit;
 * otherwise it is milliseconds.
 */
const unitHint = (field: string, text: string): string | undefined => {
  const say = (amount: number, unit: string): string => `Write ${amount}; the unit is ${unit}.`;
  const bytes = byteCount(text);
  if (/bytes$/.test(field)) return bytes === undefined ? undefined : say(bytes, 'bytes');
  if (/_mb$/.test(field)) return bytes === undefined ? undefined : say(Math.ceil(bytes / mebibyte), 'megabytes');
  const ms = durationMs(text);
  if (ms === undefined) return undefined;
  if (field === 'max_age' || /_s$/.test(field)) return say(ms / 1000, 'seconds');
  return /_days$/.test(field) ? say(Math.ceil(ms / 86_400_000), 'days') : say(ms, 'milliseconds');
};

const numberHint = (tokens: readonly string[], { value, group }: WrongType): string | undefined => {
  const field = toField(tokens);
  if (typeof value === 'number') return `Write ${Math.max(1, Math.round(value))}, for instance.`;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/codes$/.test(field) && statusClass(text) !== undefined) return statusClass(text);
  const advice = typeAdvice('number', text);
  if (advice !== undefined) return advice;
  const withUnit = unitHint(field, text);
  if (withUnit !== undefined) return withUnit;
  if (field === 'request_timeout' || field === 'cooldown_interval')
    return 'Write a number of milliseconds, such as 30000.';
  if (field === 'max_age') return 'Write a number of seconds, such as 3600.';
  if (field === 'failure_threshold') return 'Write a number of failures, such as 5; shares are not supported.';
  const share = readPercentage(text, group);
  return share === undefined ? undefined : `Write ${share}, without quotes and the percent sign.`;
};

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};

/** Returns the boolean that a word stands for; undefined for other words. */
export const readFlag = (word: string): boolean | undefined =>
  Object.hasOwn(flags, word.toLowerCase()) ? flags[word.toLowerCase()] : undefined;

const flagHint = (value: Json | undefined): string | undefined => {
  // YAML 1.1 had more words for booleans; YAML 1.2 does not have them.
  if (typeof value === 'string' && /^(?:yes|no|on|off)$/i.test(value))
    return `Write ${flags[value.toLowerCase()]}; "${value}" is a string.`;
  const meant = typeof value === 'object' ? undefined : flags[String(value).toLowerCase()];
  return meant === undefined ? undefined : `Write ${meant}${typeof value === 'string' ? ', without quotes' : ''}.`;
};

/** Whether a member names a target of its group. */
const namesTarget = (tokens: readonly string[]): boolean =>
  (tokens.at(-1) === 'then' && tokens.at(-3) === 'conditions') ||
  (tokens.at(-1) === 'default' && tokens.at(-2) === 'strategy');

/**
 * Returns the reference that was written without its `$`, or in YAML without quotes: `{env:KEY}` and `{ "env": "KEY" }` are
 * objects.
 */
const meantReference = (value: JsonObject): string | undefined => {
  const [[name = '', meant] = [], second] = Object.entries(value);
  if (second !== undefined) return undefined;
  const inner = meant === null || meant === undefined ? name : `${name}:${writtenText(meant)}`;
  const written = `\${${inner}}`;
  return isReference(written) ? written : undefined;
};

const oneString = 'Write one string, in double quotes.';

const textHint = (tokens: readonly string[], value: Json | undefined): string | undefined => {
  if (namesTarget(tokens)) return 'Write the "name" of a target, in double quotes.';
  if (typeof value === 'number') return typeAdvice('string', value);
  if (Array.isArray(value)) return oneString;
  if (!isJsonObject(value)) return undefined;
  const reference = meantReference(value);
  return reference === undefined ? oneString : `Write ${code(reference)}.`;
};

/** Suggests what to write instead of a value of the wrong type. */
export const typeHint = (wrong: WrongType): string => {
  const { pointer, value, types, expected } = wrong;
  const tokens = fromPointer(pointer);
  const last = tokens.at(-1);
  if (value === null && last !== undefined && !/^\d+$/.test(last)) return nullAdvice(expected, last);
  const hints: Readonly<Record<string, () => string | undefined>> = {
    object: () => objectHint(tokens, value),
    array: () => listHint(tokens, value),
    number: () => numberHint(tokens, wrong),
    integer: () => numberHint(tokens, wrong),
    boolean: () => flagHint(value),
    string: () => textHint(tokens, value),
  };
  const found = types.map((type) => hints[type]?.()).find((hint) => hint !== undefined);
  return found ?? `Write ${expected}.`;
};
