import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { type DescribedGuardrail, type DescribedPlugin, describingMembers } from './protocol.ts';

const phases = ['input', 'output'] as const;

const chosen = <Text extends string>(known: readonly Text[], value: Json | undefined): readonly Text[] | undefined =>
  Array.isArray(value) ? known.filter((each) => value.includes(each)) : undefined;

const readTexts = (value: Json | undefined): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;

/** Returns the lists of texts in an object, by member. */
const readLists = (value: Json | undefined): { readonly [member: string]: readonly string[] } | undefined =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([member, list]) => [member, readTexts(list) ?? []]))
    : undefined;

/** Validates the members that other code uses without checking them. */
const readGuardrail = (value: unknown): unknown => {
  if (!isJsonObject(value)) return value;
  const { id, parameters, phases: named, comparesAnswers, readsFlags, describes } = value;
  const aliases = readTexts(value.aliases);
  const ofPhases = chosen(phases, named);
  const requestValues = readLists(value.requestValues);
  return {
    id,
    parameters,
    ...(aliases !== undefined && { aliases }),
    ...(ofPhases !== undefined && { phases: ofPhases }),
    ...(comparesAnswers === true && { comparesAnswers }),
    ...(readsFlags === true && { readsFlags }),
    ...(requestValues !== undefined && { requestValues }),
    describes: chosen(describingMembers, describes) ?? [],
  };
};

/**
 * Reads a process's description of its plugin. Returns `undefined` if it is unusable. Everything else is validated as for any
 * plugin.
 */
export const readDescribed = (value: unknown): DescribedPlugin | undefined => {
  if (!isJsonObject(value) || !Array.isArray(value.beside) || !Array.isArray(value.guardrails)) return undefined;
  const guardrails = value.guardrails.map(readGuardrail) as readonly DescribedGuardrail[];
  return { ...(value as unknown as DescribedPlugin), guardrails };
};
