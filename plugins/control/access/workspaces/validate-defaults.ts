import { fromPointer } from '../../../../schema/json/pointer.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { SettingsChange } from './settings-change.ts';
import { namedGuardrailRows, type SettingsPlace } from './settings-facts.ts';

const members = ['input_guardrails', 'output_guardrails'] as const;

/**
 * Why guardrails that settings name cannot run by default, though they are there: a check of answers alone cannot validate
 * requests, and a plugin may be gone. Each request would be refused for it.
 */
export const validateDefaults = async (
  { store, compile, toSavedGuardrails }: Pick<ControlParts, 'store' | 'compile' | 'toSavedGuardrails'>,
  place: SettingsPlace,
  settings: SettingsChange,
): Promise<readonly Problem[]> => {
  const names = [...new Set(members.flatMap((member) => settings[member] ?? []))];
  if (names.length === 0) return [];
  const { saved } = place.overlay;
  const rows = await namedGuardrailRows(store.db, place, names);
  const guardrails = { ...saved.guardrails, ...toSavedGuardrails(rows) };
  const found = (member: (typeof members)[number]) =>
    (settings[member] ?? []).flatMap((name, at) => (Object.hasOwn(guardrails, name) ? [{ name, at }] : []));
  const lists = { input_guardrails: found('input_guardrails'), output_guardrails: found('output_guardrails') };
  const written = members.flatMap((member) =>
    lists[member].length === 0 ? [] : [[member, lists[member].map(({ name }) => name)] as const],
  );
  if (written.length === 0) return [];
  const { diagnostics } = await compile(JSON.stringify(Object.fromEntries(written)), {
    tenant: place.workspace,
    saved: { ...saved, guardrails },
    name: 'default guardrails',
  });
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .flatMap(({ pointer, message, hint }) => {
      const [first, index] = fromPointer(pointer);
      const member = members.find((each) => each === first);
      const item = member && lists[member][Number(index)];
      if (member === undefined || item === undefined) return [];
      const why = `The guardrail ${JSON.stringify(item.name)} cannot run by default here: ${message}`;
      return [problem(['settings', member, item.at], why, hint ?? 'Name another guardrail, or change this one.')];
    });
};
