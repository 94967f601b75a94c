import type { Identify } from '../../plugins/sdk/control-plane/identities.ts';
import type { StoredPrompts } from '../../plugins/sdk/control-plane/stored-prompt.ts';
import { whenLoaded } from '../../plugins/sdk/loading/when-loaded.ts';
import { errorReport, GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import type { CompileResult, RoutingPlan } from '../../schema/plan/plan.ts';
import type { LinkedPlan } from '../engine/link.ts';
import { LinkError } from '../engine/link-error.ts';
import { toServedPlan } from '../file-plans/served-plan.ts';
import { wireText } from '../http/headers/wire-text.ts';
import { type CompileShares, type ConfigSender, type Timed, untimed } from './compile-shares.ts';
import type { CompiledPlan, PlanCache } from './plan-cache.ts';
import { type SavedMember, withSaved } from './with-saved.ts';

/** The result for a config, with the stored prompts that it names. */
export interface CompiledText extends CompileResult {
  readonly prompts?: StoredPrompts;
}

/** The compiler for callers' configs. It returns a promise if a plugin must be called, or a stored prompt read. */
export type CompileCaller = (text: string, timed?: Timed) => CompiledText | Promise<CompiledText>;

export interface CallerPlansOptions {
  /** Loads the compiler, on first need. */
  readonly load: () => Promise<CompileCaller>;
  readonly link: (plan: RoutingPlan, prompts?: StoredPrompts) => LinkedPlan;
  /** With service keys: returns who holds a key. */
  readonly identify?: Identify | undefined;
  /** Stores the plans. */
  readonly cache: PlanCache;
  /** Limits the time of each tenant. Absent if there is only one. */
  readonly shares?: CompileShares | undefined;
  /** The prefix of the keys in the cache, if it has the configs of several tenants. */
  readonly scope?: string;
}

/** Configs of callers. Each is compiled and linked once while it is cached. */
export interface CallerPlans {
  /**
   * `text` is the header's value. Synchronous if the config is cached, or if the compiler and what the config needs are loaded.
   * Throws, or rejects with, the `GatewayError`s `saved-not-usable` and `service-key-in-config`. Also rejects like `identify`,
   * `load`, the compiler, and `CompileShares` for the sender. Without a sender, the time counts for nobody.
   */
  get(text: string, member?: SavedMember, sender?: ConfigSender): CompiledPlan | Promise<CompiledPlan>;
}

interface Ask {
  readonly key: string;
  readonly text: string;
  readonly member: SavedMember | undefined;
  readonly sender: ConfigSender | undefined;
}

/** Whether one of these texts is a service key of this gateway. They are looked up in turn, until one is. */
const holdsServiceKey = (texts: readonly string[], identify: Identify): boolean | Promise<boolean> => {
  for (const [at, text] of texts.entries()) {
    const holder = identify(text);
    if (holder instanceof Promise)
      return holder.then((found) => found !== undefined || holdsServiceKey(texts.slice(at + 1), identify));
    if (holder !== undefined) return true;
  }
  return false;
};

export const createCallerPlans = ({
  load,
  link,
  identify = () => undefined,
  cache: known,
  shares,
  scope = '',
}: CallerPlansOptions): CallerPlans => {
  let compiler: CompileCaller | undefined;

  /** A caller's config can fail to link only because of a saved value, which only the operator can correct. */
  const linked = (plan: RoutingPlan, prompts: StoredPrompts | undefined): LinkedPlan => {
    try {
      return link(plan, prompts);
    } catch (cause) {
      if (!(cause instanceof LinkError)) throw cause;
      throw new GatewayError(errorReport('saved-not-usable', {}), { cause });
    }
  };

  const keep = (key: string, { plan, secrets, diagnostics, prompts }: CompiledText): CompiledPlan => {
    const made =
      plan === undefined
        ? { refused: diagnostics }
        : toServedPlan(linked(plan, prompts), { origin: 'caller', secrets });
    known.set(key, made);
    return made;
  };

  const take = (key: string, result: CompiledText): CompiledPlan | Promise<CompiledPlan> => {
    const finish = (held: boolean): CompiledPlan | Promise<CompiledPlan> => {
      if (held) throw gatewayError('service-key-in-config', {});
      return whenLoaded(() => keep(key, result));
    };
    const held = holdsServiceKey(result.secrets, identify);
    return held instanceof Promise ? held.then(finish) : finish(held);
  };

  const make = (
    { key, text, member }: Ask,
    compile: CompileCaller,
    timed: Timed,
  ): CompiledPlan | Promise<CompiledPlan> => {
    const config = wireText(text);
    const compiled = compile(member === undefined ? config : withSaved(config, member), timed);
    return compiled instanceof Promise
      ? compiled.then((result) => known.get(key) ?? take(key, result))
      : take(key, compiled);
  };

  /** Waits if the sender's tenant has used its share. Meanwhile another request may bring the same config. */
  const makeInTurn = (ask: Ask, compile: CompileCaller): CompiledPlan | Promise<CompiledPlan> =>
    shares === undefined || ask.sender === undefined
      ? make(ask, compile, untimed)
      : shares.run(ask.sender, (timed) => known.get(ask.key) ?? make(ask, compile, timed));

  const loadAndMake = async (ask: Ask): Promise<CompiledPlan> => {
    compiler = await load();
    return known.get(ask.key) ?? makeInTurn(ask, compiler);
  };

  // The same config often comes repeatedly, and comparing its text costs less than hashing it.
  let lastKey: string | undefined;
  let last: CompiledPlan | undefined;

  return {
    get: (text, member, sender) => {
      // Headers contain no line breaks, so these keys cannot collide.
      const named = member === undefined ? text : `${member.name} ${member.value}\n${text}`;
      const key = scope === '' ? named : `${scope}\n\n${named}`;
      if (key === lastKey && last !== undefined) return last;
      const ask = { key, text, member, sender };
      const found = known.get(key) ?? (compiler === undefined ? undefined : makeInTurn(ask, compiler));
      if (found === undefined) return loadAndMake(ask);
      if (found instanceof Promise) return found;
      lastKey = key;
      last = found;
      return found;
    },
  };
};
