import { errorText } from '../../../schema/text/error-text.ts';
import { CodeNotLoaded } from '../loading/when-loaded.ts';
import type { Guardrail } from './guardrail.ts';

export interface LateGuardrailDefinition extends Pick<Guardrail, 'id' | 'aliases'> {
  /** Loads the guardrail with this id. Called again after a failure. */
  readonly load: () => Promise<Guardrail>;
}

/** The members of a guardrail that are unknown until it is loaded. */
const lateMembers = Object.keys({
  phases: true,
  parameters: true,
  faults: true,
  comparesAnswers: true,
  readsFlags: true,
  requestValues: true,
  parts: true,
  rewrites: true,
  retries: true,
  timeoutMs: true,
  create: true,
} satisfies { readonly [Member in Exclude<keyof Guardrail, keyof LateGuardrailDefinition>]: true });

/**
 * Creates a guardrail of which only the names are known until a config or a plan uses it. Reading any other member before it is
 * loaded throws `CodeNotLoaded`, which makes `whenLoaded` load it.
 */
export const lateGuardrail = ({ id, aliases = [], load }: LateGuardrailDefinition): Guardrail => {
  let loaded: Guardrail | undefined;
  const ready = async (): Promise<Guardrail> => {
    try {
      loaded ??= await load();
      return loaded;
    } catch (error) {
      throw new Error(`The check "${id}" cannot be loaded: ${errorText(error)}`, { cause: error });
    }
  };
  const known: Partial<Guardrail> = {
    id,
    aliases,
    async load() {
      const guardrail = await ready();
      return guardrail.load?.() ?? guardrail;
    },
  };
  const toGetter = (member: string): PropertyDescriptor => ({
    get() {
      if (loaded === undefined) throw new CodeNotLoaded(`the check "${id}"`, ready);
      return Reflect.get(loaded, member);
    },
  });
  return Object.defineProperties(
    known,
    Object.fromEntries(lateMembers.map((member) => [member, toGetter(member)])),
  ) as Guardrail;
};
