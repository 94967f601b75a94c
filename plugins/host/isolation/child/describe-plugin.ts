import type { Plugin } from '../../../sdk/plugin/plugin.ts';
import { type DescribedPlugin, describingMembers } from '../protocol/protocol.ts';

const besideChecks = ({
  providers = [],
  dialects = [],
  caches = [],
  choosers = [],
  sinks = [],
  routes = [],
  apply,
}: Plugin): readonly string[] => [
  ...(providers.length > 0 ? ['providers'] : []),
  ...(dialects.length > 0 ? ['dialects'] : []),
  ...(caches.length > 0 ? ['caches'] : []),
  ...(choosers.length > 0 ? ['choosers'] : []),
  ...(sinks.length > 0 ? ['sinks'] : []),
  ...(routes.length > 0 ? ['routes'] : []),
  ...(apply === undefined ? [] : ['apply']),
];

/** Describes a plugin for the gateway. */
export const describePlugin = (plugin: Plugin): DescribedPlugin => ({
  name: plugin.name,
  ...(plugin.permissions === undefined ? {} : { permissions: plugin.permissions }),
  beside: besideChecks(plugin),
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
