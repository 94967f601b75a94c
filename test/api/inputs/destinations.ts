import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { isSecretText, secretText } from '../document/answer-errors.ts';
import { knownName, type Place, type World } from '../run/world.ts';

let made = 0;

/** Returns a credential that no other request uses. */
export const newSecret = (): string => {
  made += 1;
  return secretText(`credential-${made}`);
};

/**
 * Generates the members of a provider, virtual key or integration that set its destination: the echo provider, or the upstream
 * of the run.
 */
export const destination = (world: World, place: Place): JsonObject => {
  const { random, upstream } = world;
  const settings = { custom_host: upstream };
  const integration = knownName(world, place, '/integrations') ?? 'none';
  return random.pick<() => JsonObject>([
    () => ({ provider: 'echo' }),
    () => ({ provider: 'openai', credential: { api_key: newSecret() }, settings }),
    () => ({ provider: 'openai', key: newSecret(), settings }),
    () => ({ provider: 'anthropic', key: newSecret(), settings }),
    () => ({ provider: 'openai', credential: { api_key: newSecret(), other: newSecret() }, settings }),
    () => ({ provider: 'echo', key: newSecret() }),
    () => ({ integration_id: integration }),
    () => ({}),
  ])();
};

/** Members that contain secrets, in any object. */
const secretMembers: ReadonlySet<string> = new Set(['credential', 'key', 'api_key', 'secretHeaders']);

const isLocal = (provider: Json | undefined): boolean =>
  typeof provider !== 'string' || provider === 'echo' || provider.startsWith('@');

/**
 * Restricts a body to the upstream of the run as its destination, and removes credentials from places that are not for
 * credentials, where they could be read back.
 */
export const keptLocal = (value: Json, upstream: string, isSecret = false): Json => {
  if (typeof value === 'string') return isSecret || !isSecretText(value) ? value : 'misplaced';
  if (Array.isArray(value)) return value.map((each) => keptLocal(each, upstream, false));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, each]): [string, Json] => {
    const isText = typeof each === 'string' || name === 'credential' || name === 'secretHeaders';
    const isKept = isText && secretMembers.has(name);
    return [
      isSecretText(name) ? 'misplaced' : name,
      isKept && isJsonObject(each) ? keptTexts(each, upstream) : keptLocal(each, upstream, isKept),
    ];
  });
  // Assigning `__proto__` would set the prototype. JSON creates a member.
  const kept: JsonObject = Object.fromEntries(entries);
  if (isLocal(kept.provider)) return kept;
  const settings = isJsonObject(kept.settings ?? {}) ? { ...(kept.settings as object), custom_host: upstream } : 1;
  return 'settings' in kept || 'credential' in kept || 'key' in kept
    ? { ...kept, settings }
    : { ...kept, custom_host: upstream };
};

/** Keeps the texts of an object of secrets. */
const keptTexts = (value: JsonObject, upstream: string): Json =>
  Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, keptLocal(each, upstream, typeof each === 'string')]),
  );
