import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { counterpartOf } from '../draft/check-counterparts.ts';
import type { Draft } from '../draft/draft.ts';
import { SourceObject } from '../draft/read-source.ts';
import { toPiiGuardrails } from './presidio.ts';

/** The members of all configs that name imported guardrails. */
type NamedGuardrails = Readonly<Partial<Record<Member, readonly string[]>>>;

type Member = 'input_guardrails' | 'output_guardrails';

/** When a guardrail runs, by our members. */
const modes: Readonly<Record<string, Member>> = {
  during_call: 'input_guardrails',
  post_call: 'output_guardrails',
  pre_call: 'input_guardrails',
};

/** Where Presidio runs, which needs no note. */
const ofService: readonly string[] = ['presidio_analyzer_api_base', 'presidio_anonymizer_api_base'];

/** The mode of a guardrail that masks what is logged, but nothing that a provider gets. */
const logMode = 'logging_only';

/** Returns the members in which a guardrail with the modes of these parameters is named. */
const membersOf = (params: SourceObject): readonly Member[] => [
  ...new Set(params.oneOrMore('mode').flatMap((mode) => lookUp(modes, mode) ?? [])),
];

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Notes what masking the log means here: the log contains no texts unless it is configured to. */
export const loseLogMask = (draft: Draft, name: string, pointer: JsonPointer): void => {
  draft.lose(
    pointer,
    `"${name}" masks what is logged, but nothing that a provider gets.`,
    'Records have no texts here, unless gateway.json sets "log": { "bodies": true }; "redact" next to it then removes parts of them.',
  );
};

/** Notes a language other than English, in which Presidio looks for names and addresses. */
const loseLanguage = (draft: Draft, params: SourceObject): void => {
  const language = params.text('presidio_language');
  if (language === undefined || language === 'en') return;
  draft.lose(
    params.at('presidio_language'),
    `"presidio_language" is "${language}", but default.pii does not depend on a language: it finds values by their form and their check digits, and numbers without a clear form after words of some fifteen languages.`,
    'Try it with your own texts: docs/recipes/redact-personal-data.md.',
  );
};

/** Notes what a guardrail of Presidio does and `default.pii` does not. */
const loseRest = (draft: Draft, name: string, params: SourceObject, unknown: readonly string[] | undefined): void => {
  for (const member of ofService) params.get(member);
  loseLanguage(draft, params);
  const missing = unknown === undefined ? 'Names of people and places' : unknown.join(', ');
  if (missing !== '')
    draft.loseCheck(
      params.at('pii_entities_config'),
      `${missing}: the guardrail "${name}" masked this with Presidio, but default.pii does not find it.`,
      'If it must not reach a provider, add a check that calls a service: docs/reference/guardrails/README.md.',
    );
  for (const member of params.unread())
    draft.lose(
      params.at(member),
      `"${member}" of the guardrail "${name}" has no counterpart.`,
      'Remove it; docs/recipes/redact-personal-data.md describes what is found, and how.',
    );
};

/** Adds the guardrail of Presidio to the gateway file, and returns where configs name it. */
const readPresidio = (draft: Draft, name: string, params: SourceObject, pointer: JsonPointer): NamedGuardrails => {
  const modeNames = params.oneOrMore('mode');
  if (modeNames.includes(logMode)) loseLogMask(draft, name, params.at('mode'));
  if (modeNames.every((mode) => mode === logMode) && modeNames.length > 0) return {};
  const entities = params.get('pii_entities_config');
  const named = isJsonObject(entities) ? entities : undefined;
  const { guardrails, unknown } = toPiiGuardrails(named, params.get('output_parse_pii') === true);
  const slugs = guardrails.map((guardrail) => draft.save('guardrails', name, guardrail));
  const members = membersOf(params);
  const isOn = params.get('default_on') === true;
  loseRest(draft, name, params, named === undefined ? undefined : unknown);
  if (slugs.length === 0) return {};
  if (isOn && members.length > 0) return Object.fromEntries(members.map((member) => [member, slugs]));
  const places: readonly Member[] = members.length === 0 ? ['input_guardrails'] : members;
  const written = places.map((member) => `"${member}": [${quoted(slugs)}]`);
  draft.loseCheck(
    pointer,
    isOn
      ? `The guardrail "${name}" checks nothing now: configs have none of its modes.`
      : `The guardrail "${name}" checks nothing now: in the other gateway requests name it, and here configs do.`,
    `Write ${written.join(' and ')} in the configs that need it; gateway.json has it.`,
  );
  return {};
};

/** Notes a guardrail of a service whose check is not imported. */
export const loseGuardrail = (draft: Draft, name: string, pointer: JsonPointer, service?: string): void => {
  const check = counterpartOf(service ?? name);
  draft.loseCheck(
    pointer,
    `The guardrail "${name}"${service === undefined ? '' : ` (${service})`} checks nothing now.`,
    check === undefined
      ? 'No check here is known to do the same: docs/reference/guardrails/README.md lists all, and gw plugin new creates one.'
      : `Write its counterpart ${check} under "guardrails" in gateway.json, and name it in "input_guardrails" or "output_guardrails" of the configs.`,
  );
};

const together = (one: NamedGuardrails, other: NamedGuardrails, member: Member): NamedGuardrails => {
  const names = [...(one[member] ?? []), ...(other[member] ?? [])];
  return names.length === 0 ? {} : { [member]: names };
};

/** Adds guardrails of Presidio to the gateway file, notes the others, and returns what configs name. */
export const readGuardrails = (draft: Draft, source: SourceObject): JsonObject => {
  let named: NamedGuardrails = {};
  for (const item of source.list('guardrails')) {
    const entry = new SourceObject(item);
    const params = entry.object('litellm_params');
    const service = params.text('guardrail') ?? 'unknown';
    const name = entry.text('guardrail_name') ?? service;
    if (service !== 'presidio') {
      loseGuardrail(draft, name, item.pointer, service);
      continue;
    }
    const own = readPresidio(draft, name, params, item.pointer);
    named = { ...together(named, own, 'input_guardrails'), ...together(named, own, 'output_guardrails') };
  }
  return { ...named };
};
