import type { Saved } from '../../../schema/config/saved.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { flaggedWord } from '../../support/partners/partner-stub.ts';
import { partnerStubs } from '../../support/partners/partner-stubs.ts';
import type { AskedHook } from './asked.ts';

type Judge = Pick<AskedHook, 'passes' | 'word'>;

const partners = new Set(partnerStubs.flatMap(({ checks }) => checks.map(({ id }) => id)));

/** Members of guardrail objects that are not checks. */
const settings = new Set(['id', 'type', 'deny', 'async', 'on_fail', 'on_success']);

const readList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const without = (words: readonly string[]): Judge => ({
  passes: (text) => !words.some((word) => text.includes(word)),
  ...(words[0] === undefined ? {} : { word: words[0] }),
});

const readJudge = (check: string, parameters: JsonObject): Judge => {
  if (partners.has(check)) return without([flaggedWord]);
  if (check === 'default.contains' && parameters.operator === 'none')
    return without(readList(parameters.words).map(String));
  if (check === 'default.regexMatch') {
    const rule = new RegExp(String(parameters.rule));
    return { passes: (text) => rule.test(text) };
  }
  throw new Error(`It is not known what ${check} passes.`);
};

const checksIn = (hook: JsonObject): readonly (readonly [id: string, parameters: Json | undefined])[] =>
  Array.isArray(hook.checks)
    ? hook.checks.filter(isJsonObject).map(({ id, parameters }) => [String(id), parameters])
    : Object.entries(hook).filter(([name]) => !settings.has(name));

const deniesOn = (outcome: Json | undefined): boolean => isJsonObject(outcome) && outcome.deny === true;

/** Reads a hook, a guardrail, or the name of a saved guardrail. */
const askedHook = (item: Json, mayDeny: boolean, { guardrails }: Saved): AskedHook => {
  const named = isJsonObject(item) && checksIn(item).length === 0 ? item.id : item;
  const hook = typeof named === 'string' ? guardrails[named] : named;
  if (!isJsonObject(hook)) throw new Error(`No guardrail is saved as ${JSON.stringify(named)}.`);
  const checks = checksIn(hook);
  const judges = checks.map(([id, parameters]) => readJudge(id, isJsonObject(parameters) ? parameters : {}));
  const [word] = judges.flatMap((judge) => judge.word ?? []);
  return {
    checks: checks.map(([id]) => id),
    passes: (text) => judges.every(({ passes }) => passes(text)),
    ...(word === undefined ? {} : { word }),
    denies: mayDeny && (hook.deny === true || deniesOn(hook.on_fail)),
    async: hook.async === true,
  };
};

/** The members that contain hooks. After a request, hooks only report, even if they refer to a saved guardrail that denies. */
const members = {
  input: [
    { name: 'before_request_hooks', mayDeny: true },
    { name: 'input_guardrails', mayDeny: true },
  ],
  output: [
    { name: 'after_request_hooks', mayDeny: false },
    { name: 'output_guardrails', mayDeny: true },
  ],
} as const;

/** Returns the hooks and guardrails of a part of a config, or `undefined` if it has none of its own. */
export const askedHooks = (
  part: JsonObject,
  phase: 'input' | 'output',
  saved: Saved,
): readonly AskedHook[] | undefined => {
  const hooks = members[phase].flatMap(({ name, mayDeny }) =>
    readList(part[name]).map((item) => askedHook(item, mayDeny, saved)),
  );
  return hooks.length === 0 ? undefined : hooks;
};
