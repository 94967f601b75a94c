import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { type DescribedGuardrail, type DescribedPlugin, describingMembers } from './protocol.ts';

const phases = ['input', 'output'] as const;

const chosen = <Text extends string>(known: readonly Text[], value: Json | undefined): readonly Text[] | undefined =>
  Array.isArray(value) ? known.filter((each) => value.includes(each)) : undefined;

/** The members that no other code looks at before it uses them. */
const readGuardrail = (value: unknown): unknown => {
  if (!isJsonObject(value)) return value;
  const { id, parameters, aliases, phases: named, comparesAnswers, describes } = value;
  const ofPhases = chosen(phases, named);
  return {
    id,
    parameters,
    ...(Array.isArray(aliases) && { aliases: aliases.filter((each) => typeof each === 'string') }),
    ...(ofPhases !== undefined && { phases: ofPhases }),
    ...(comparesAnswers === true && { comparesAnswers }),
    describes: chosen(describingMembers, describes) ?? [],
  };
};

/**
 * Reads a process's description of its plugin; `undefined` if it cannot be used at all. The rest is checked as in any
 * plugin.
 */
export const readDescribed = (value: unknown): DescribedPlugin | undefined => {
  if (!isJsonObject(value) || !Array.isArray(value.beside) || !Array.isArray(value.guardrails)) return undefined;
  const guardrails = value.guardrails.map(readGuardrail) as readonly DescribedGuardrail[];
  return { ...(value as unknown as DescribedPlugin), guardrails };
};
