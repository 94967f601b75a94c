import { isJsonObject } from '../../schema/json/json.ts';
import { lookUp } from '../../schema/json/look-up.ts';
import { childPointer, type JsonPointer } from '../../schema/json/pointer.ts';
import { spelling } from '../diagnostics/spelling.ts';
import { findSynonym, objectKind } from './synonyms.ts';
import type { KeyHint, UnknownKey } from './unknown-key.ts';

const say = (suggestion: string, ...meant: readonly JsonPointer[]): KeyHint => {
  const [first] = meant;
  return first === undefined ? { suggestion } : { suggestion, meant: first };
};

/** Members of the files of gateways that `gw import` reads, by the command's names for the gateways. */
const imported: Readonly<Record<string, { readonly name: string; readonly members: readonly string[] }>> = {
  litellm: {
    name: 'LiteLLM',
    members: [
      'model_list',
      'litellm_settings',
      'router_settings',
      'general_settings',
      'litellm_params',
      'environment_variables',
    ],
  },
  bifrost: { name: 'Bifrost', members: ['client', 'config_store', 'logs_store', 'vector_store', 'governance'] },
};

/** Returns a hint for a member of another gateway's file, which a command converts to configs. */
export const importHint = ({ key }: UnknownKey): KeyHint | undefined => {
  const found = Object.entries(imported).find(([, { members }]) => members.map(spelling).includes(spelling(key)));
  if (found === undefined) return undefined;
  const [kind, { name }] = found;
  return say(`Files of ${name} have it; gw import ${kind} FILE makes configs of one.`);
};

const remarks: ReadonlySet<string> = new Set([
  'comment',
  'comments',
  'description',
  'note',
  'notes',
  'doc',
  'version',
  'author',
  'owner',
  'tags',
  '//',
  '#',
]);

const modes: Readonly<Record<string, string>> = {
  fallback: 'fallback',
  fallbacks: 'fallback',
  failover: 'fallback',
  loadbalance: 'loadbalance',
  loadbalancing: 'loadbalance',
  conditional: 'conditional',
};

const wrappers: ReadonlySet<string> = new Set([
  'config',
  'configuration',
  'gateway',
  'route',
  'routing',
  'settings',
  'plan',
]);

const ofConfig = (unknown: UnknownKey): KeyHint | undefined => {
  const { key, value, pointer } = unknown;
  const word = spelling(key);
  const meant = findSynonym('', key);
  if (meant === 'retry' && typeof value === 'number')
    return say(`Write "retry": { "attempts": ${value} }.`, childPointer(pointer, 'retry'));
  if (/^cache(?:ttl|age|maxage|expiry|seconds)$/.test(word))
    return say('Write "cache": { "mode": "simple", "max_age": … }.', childPointer(pointer, 'cache'));
  const fromElsewhere = importHint(unknown);
  if (fromElsewhere !== undefined) return fromElsewhere;
  if (wrappers.has(word) && isJsonObject(value))
    return say(`Write the members of "${key}" directly, without "${key}" around them.`, pointer);
  const mode = lookUp(modes, word);
  if (mode !== undefined)
    return say(
      `Write "strategy": { "mode": "${mode}" }, and the alternatives in "targets".`,
      childPointer(pointer, 'strategy'),
    );
  if (word === 'guardrails' || word === 'guardrail')
    return say('Write "input_guardrails" for requests, "output_guardrails" for answers, or both.');
  if (word === 'hooks' || word === 'hook')
    return say('Write "before_request_hooks" for requests, "after_request_hooks" for answers, or both.');
  if (['deny', 'async', 'onfail', 'onsuccess', 'checks'].includes(word))
    return say(`"${key}" belongs in an item of "input_guardrails", "output_guardrails" or one of the hooks.`);
  if (word === 'enabled' || word === 'disabled') return say('Remove it; to turn a config off, remove the config.');
  if (word === 'metadata')
    return say('Remove it; metadata comes with each request, in the header x-gw-metadata, and conditions test it.');
  return undefined;
};

const ofRetry = ({ key }: UnknownKey): KeyHint | undefined =>
  /delay|backoff|wait|interval|jitter/i.test(key)
    ? say('Remove it; the gateway doubles the wait after each attempt, or obeys "use_retry_after_headers".')
    : undefined;

const ofCache = ({ key }: UnknownKey): KeyHint | undefined => {
  const word = spelling(key);
  if (word === 'enabled') return say('Remove it; a config without "cache" does not use one.');
  return word.includes('namespace')
    ? say('Remove it; callers send the namespace in the header x-gw-cache-namespace.')
    : undefined;
};

const ofStrategy = ({ key }: UnknownKey): KeyHint | undefined => {
  if (/^weights?$/i.test(key)) return say('Write "weight" in each target.');
  const mode = lookUp(modes, spelling(key));
  return mode === undefined || key === 'fallback' ? undefined : say(`Write "mode": "${mode}".`);
};

const neverOnAnswers: KeyHint = say('Hooks on answers never deny; use "output_guardrails" with "deny": true.');

const ofHook = ({ key, schemaPath }: UnknownKey): KeyHint | undefined => {
  const isBefore = schemaPath.startsWith('/before');
  if (key === 'deny') return isBefore ? say('Move it into "on_fail": "on_fail": { "deny": true }.') : neverOnAnswers;
  if (key === 'async' && isBefore)
    return say('Only "after_request_hooks" and guardrails run in the background; remove it, or use a guardrail.');
  return undefined;
};

/** A check in the form of guardrails, with its name as the key. */
const ofCheck = ({ key, value, pointer }: UnknownKey): KeyHint | undefined =>
  key.includes('.') && isJsonObject(value) ? say(`Write { "id": "${key}", "parameters": { … } }.`, pointer) : undefined;

const ofOutcome = ({ key, schemaPath }: UnknownKey): KeyHint | undefined => {
  if (['value', 'weight', 'metadata'].includes(key))
    return say(`Move it into "feedback": "feedback": { "${key}": … }.`);
  if (key !== 'deny') return undefined;
  if (schemaPath.startsWith('/after')) return neverOnAnswers;
  return schemaPath.endsWith('on_fail')
    ? say('An input guardrail denies with "deny": true beside "on_fail"; remove it here.')
    : say('An input guardrail cannot deny when its checks pass; use "before_request_hooks", or negate the check.');
};

/** Returns a hint for a key that needs more explanation than the name of another one. */
export const specialKeyHint = (unknown: UnknownKey): KeyHint | undefined => {
  const word = spelling(unknown.key).replace(/^_+/, '');
  if (remarks.has(word)) return say('Write a comment instead: // … at the end of a line, or /* … */.');
  if (unknown.key === '$schema') return say('Remove it; in a file it may be the path of the schema, as a string.');
  if (word === 'isenabled') return say('Remove it; to turn a check off, remove the check.');
  const kind = objectKind(unknown.schemaPath);
  if (kind === '') return ofConfig(unknown);
  if (kind === '/strategy') return ofStrategy(unknown);
  if (kind === '/retry') return ofRetry(unknown);
  if (kind === '/cache') return ofCache(unknown);
  if (kind === '/hooks/*') return ofHook(unknown);
  if (kind === '/strategy/conditions/*' && /^(?:else|default|otherwise)$/.test(word))
    return say('Write "default" in the strategy, beside "conditions".');
  if (kind === '/hooks/*/checks/*') return ofCheck(unknown);
  return /\/on_(?:fail|success)$/.test(kind) ? ofOutcome(unknown) : undefined;
};
