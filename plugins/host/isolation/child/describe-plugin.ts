import type { Plugin } from '../../../sdk/plugin/plugin.ts';
import { pluginMembers } from '../../loading/plugin-members.ts';
import { type DescribedPlugin, describingMembers } from '../protocol/protocol.ts';

/** The members of a plugin that work in its own process. Each other member would have to work in the gateway's process. */
const ownMembers: readonly (keyof Plugin)[] = ['name', 'api', 'options', 'permissions', 'integrity', 'guardrails'];

const isGiven = (member: unknown): boolean => (Array.isArray(member) ? member.length > 0 : member !== undefined);

/** Describes a plugin for the gateway. */
export const describePlugin = (plugin: Plugin): DescribedPlugin => ({
  name: plugin.name,
  ...(plugin.permissions === undefined ? {} : { permissions: plugin.permissions }),
  beside: pluginMembers.filter((member) => !ownMembers.includes(member) && isGiven(plugin[member])),
  guardrails: (plugin.guardrails ?? []).map((guardrail) => ({
    id: guardrail.id,
    ...(guardrail.aliases === undefined ? {} : { aliases: guardrail.aliases }),
    ...(guardrail.phases === undefined ? {} : { phases: guardrail.phases }),
    ...(guardrail.comparesAnswers === true ? { comparesAnswers: true } : {}),
    ...(guardrail.readsFlags === true ? { readsFlags: true } : {}),
    ...(guardrail.requestValues === undefined ? {} : { requestValues: guardrail.requestValues }),
    parameters: guardrail.parameters,
    describes: describingMembers.filter((member) => guardrail[member] !== undefined),
  })),
});
