import type { Resource } from '../../kernel/resource/api-command.ts';
import { resourceCommands } from '../../kernel/resource/resource-commands.ts';
import { resources } from '../../resources.ts';
import { configs } from './configs.ts';
import { keys } from './keys.ts';
import { logs } from './logs.ts';
import { organisation } from './organisation.ts';
import { policies } from './policies.ts';
import { prompts } from './prompts.ts';

const described = resources.map(resourceCommands);

/** A resource with those that belong to it and are described, as labels belong to prompts. */
const withParts = (resource: Resource): Resource => {
  const parts = described.filter(({ name }) => name.startsWith(`${resource.name} `));
  const words = parts.map((part) => [part.name.slice(resource.name.length + 1), part]);
  return { ...resource, parts: { ...resource.parts, ...Object.fromEntries(words) } };
};

/** The commands of `gw` for the API of the control plane, by resource. */
export const apiResources: readonly Resource[] = [
  ...[configs, keys, logs, organisation, policies, prompts],
  ...described.filter(({ name }) => !name.includes(' ')),
].map(withParts);
