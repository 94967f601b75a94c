import { configKeys } from '../../schema/generated/config-keys.ts';
import { gatewayFileKeys } from '../../schema/generated/gateway-file-keys.ts';
import { isJsonObject } from '../../schema/json/json.ts';
import { childPointer, fromPointer, type JsonPointer, toPointer } from '../../schema/json/pointer.ts';
import { closest, suggestion } from '../diagnostics/closest.ts';
import { sameSpelling, spelling } from '../diagnostics/spelling.ts';
import { requestParameters } from './request-parameters.ts';
import { specialKeyHint } from './special-key-hint.ts';
import { findSynonym, objectKind } from './synonyms.ts';
import type { KeyHint, UnknownKey } from './unknown-key.ts';

/** The objects whose keys are distinguished only by name; those inside hooks have hints of their own. */
const places = [
  '/strategy',
  '/strategy/conditions/*',
  '/retry',
  '/cache',
  '/cb_config',
  '/breaker',
  '/probe',
  '/deployments/*',
] as const;

const quoted = (key: string): string => `"${key}"`;

const meantKey = (key: string, { pointer }: UnknownKey): KeyHint => ({
  suggestion: `Did you mean "${key}"?`,
  meant: childPointer(pointer, key),
});

/** Returns the place of the config that contains an object: an object is as deep in its config as in the schema. */
const toConfig = ({ pointer, schemaPath }: UnknownKey): JsonPointer => {
  const depth = schemaPath.split('/').length - 1;
  const tokens = fromPointer(pointer);
  return toPointer(tokens.slice(0, tokens.length - depth));
};

/** Returns the member of the config that is the object, or contains it. */
const toMember = ({ schemaPath }: UnknownKey): string => schemaPath.split('/')[1] ?? '';

/** Suggests a key of an object within a config, one level up or down. */
const elsewhere = (unknown: UnknownKey): KeyHint | undefined => {
  const { key, schemaPath } = unknown;
  const isConfig = schemaPath === '';
  const config = toConfig(unknown);
  const beside = isConfig ? '' : ` beside ${quoted(toMember(unknown))}`;
  const up = isConfig ? undefined : sameSpelling(key, configKeys[''] ?? []);
  if (up === 'weight' || up === 'name') return { suggestion: `Write "${up}" in a target; it belongs to each of them.` };
  if (up !== undefined)
    return { suggestion: `Move it up: "${up}" belongs${beside}, not inside it.`, meant: childPointer(config, up) };
  for (const place of places) {
    const inner = sameSpelling(key, configKeys[place] ?? []);
    if (inner === undefined || place === schemaPath) continue;
    const [member = '', list] = place.split('/').slice(1);
    if (place === '/strategy/conditions/*')
      return { suggestion: `"${inner}" belongs in an item of "conditions" in "strategy".` };
    if (place.endsWith('/*'))
      return { suggestion: `"${inner}" belongs in an item of "${list === '*' ? member : list}".` };
    return {
      suggestion: `Move it into "${member}"${beside}: "${member}": { "${inner}": … }.`,
      meant: childPointer(config, member, inner),
    };
  }
  return undefined;
};

const asParameter = (unknown: UnknownKey): KeyHint | undefined => {
  const name = sameSpelling(unknown.key, Object.keys(requestParameters));
  if (name === undefined) return undefined;
  const beside = unknown.schemaPath === '' ? '' : ` beside ${quoted(toMember(unknown))}`;
  return { suggestion: `It is a parameter of requests; write "override_params": { "${name}": … }${beside}.` };
};

const anyOf = (keys: readonly string[]): KeyHint => ({
  suggestion: `Did you mean ${keys.slice(0, -1).map(quoted).join(', ')} or "${keys.at(-1)}"?`,
});

/**
 * Suggests keys with the same ending, because keys of several clouds differ only in their first word: `region` is one of three.
 */
export const byEnding = ({ key, keys, pointer }: UnknownKey): KeyHint | undefined => {
  const endings = [key, key.replace(/^[a-z]+_/i, '')].map(spelling).filter((ending) => ending.length >= 5);
  const found = keys.filter((known) => endings.some((ending) => spelling(known).endsWith(ending)));
  const [first] = found;
  if (first === undefined || found.length > 4) return undefined;
  if (found.length === 1) return { suggestion: `Did you mean "${first}"?`, meant: childPointer(pointer, first) };
  return anyOf(found);
};

/** Suggests keys that begin with the written one: `deployment` is one of two. */
const byBeginning = ({ key, keys }: UnknownKey): KeyHint | undefined => {
  const found = keys.filter((known) => spelling(known).startsWith(spelling(key)));
  return key.length < 5 || found.length < 2 || found.length > 4 ? undefined : anyOf(found);
};

const ofGatewayFile = ({ key, schemaPath }: UnknownKey): KeyHint | undefined =>
  schemaPath === '' && (gatewayFileKeys[''] ?? []).includes(key)
    ? { suggestion: `Move "${key}" into the gateway file, the one that --config names.` }
    : undefined;

const bySynonym = (unknown: UnknownKey, kind = objectKind(unknown.schemaPath)): KeyHint | undefined => {
  const key = findSynonym(kind, unknown.key);
  return key === undefined || !unknown.keys.includes(key) ? undefined : meantKey(key, unknown);
};

const byDistance = (unknown: UnknownKey): KeyHint | undefined => {
  const near = closest(unknown.key, unknown.keys);
  return near === undefined ? undefined : meantKey(near, unknown);
};

/** Returns the hint for a key of a config that its object does not allow: its real name, where it belongs, or what is allowed. */
export const keyHint = (unknown: UnknownKey): KeyHint => {
  const same = sameSpelling(unknown.key, unknown.keys);
  if (same !== undefined) return meantKey(same, unknown);
  return (
    specialKeyHint(unknown) ??
    bySynonym(unknown) ??
    elsewhere(unknown) ??
    asParameter(unknown) ??
    ofGatewayFile(unknown) ??
    byEnding(unknown) ??
    byBeginning(unknown) ??
    byDistance(unknown) ?? { suggestion: suggestion(unknown.key, unknown.keys) }
  );
};

/** Settings of a guardrail are often written inside one of its checks. */
const besideCheck = ({ key, pointer, keys }: UnknownKey): KeyHint | undefined => {
  const [check = '', , list = ''] = fromPointer(pointer).toReversed();
  const setting = sameSpelling(key, ['deny', 'async', 'on_fail', 'on_success']);
  if (setting === undefined || keys.length === 0) return undefined;
  if (/_guardrails$/.test(list))
    return { suggestion: `Move it up: "${setting}" belongs beside "${check}", not inside it.` };
  return check === 'parameters'
    ? { suggestion: `Move it up: "${setting}" belongs in the hook, beside "checks".` }
    : undefined;
};

/** Returns the hint for a key of a plugin's parameters or of the gateway file: a likely misspelling, or what is allowed. */
export const plainKeyHint = (unknown: UnknownKey): KeyHint => {
  const wrapped = isJsonObject(unknown.value) && spelling(unknown.key) === 'parameters';
  if (wrapped && unknown.keys.length > 0)
    return {
      suggestion: 'Write the parameters directly under the check, without "parameters".',
      meant: unknown.pointer,
    };
  return (
    besideCheck(unknown) ??
    bySynonym(unknown, 'parameters') ??
    byBeginning(unknown) ??
    byDistance(unknown) ?? { suggestion: suggestion(unknown.key, unknown.keys) }
  );
};
