import { LRUCache } from 'lru-cache';
import type { Guardrail } from '../../plugins/sdk/guardrail.ts';
import type { Diagnostic } from '../../schema/diagnostic.ts';
import { errorReport, GatewayError, gatewayError } from '../../schema/errors.ts';
import type { CompileResult, RoutingPlan } from '../../schema/plan.ts';
import { type ServedPlan, toServedPlan } from '../generations/served-plan.ts';
import type { LinkedPlan } from '../link/link.ts';
import { LinkError } from '../link/link-error.ts';
import { linkedPlanBytes } from '../link/linked-plan-bytes.ts';
import type { Identify } from '../ports/identify.ts';
import { holdsServiceKey } from './holds-service-key.ts';
import { wireText } from './wire-text.ts';
import { type SavedMember, withSaved } from './with-saved.ts';

/** A caller's config that the compiler did not accept. */
export interface RefusedPlan {
  readonly refused: readonly Diagnostic[];
}

/** The compiler for callers' configs; it waits where a plugin must be asked. */
export type CompileCaller = (text: string) => CompileResult | Promise<CompileResult>;

export interface CallerPlansOptions {
  /** Loads the compiler, on first need. */
  readonly load: () => Promise<CompileCaller>;
  readonly link: (plan: RoutingPlan) => LinkedPlan;
  /** With service keys: who holds one. */
  readonly identify?: Identify;
  /** Finds a check by its id. */
  readonly check: (id: string) => Guardrail | undefined;
  /** The number of cached configs, including refused ones. */
  readonly entries?: number;
  /** Roughly the bytes that all of them hold together. */
  readonly bytes?: number;
}

/** Configs of callers, each compiled and linked once while it is cached. */
export interface CallerPlans {
  /** `text` is the header's value. Synchronous if it is cached or the compiler is loaded. Throws, or rejects with, the `GatewayError`s `saved-not-usable` and `service-key-in-config`, and rejects as `identify` does. */
  get(text: string, member?: SavedMember): ServedPlan | RefusedPlan | Promise<ServedPlan | RefusedPlan>;
}

/** A diagnostic, without its texts. */
const diagnosticBytes = 1000;

const refusedBytes = ({ refused }: RefusedPlan, text: number): number =>
  refused.reduce((sum, { message, hint = '' }) => sum + diagnosticBytes + (message.length + hint.length) * 2, text * 2);

type Made = ServedPlan | RefusedPlan;

interface Ask {
  readonly key: string;
  readonly text: string;
  readonly member: SavedMember | undefined;
}

export const createCallerPlans = ({
  load,
  link,
  identify = () => undefined,
  entries = 1000,
  check,
  bytes = 32 * 1024 * 1024,
}: CallerPlansOptions): CallerPlans => {
  const known = new LRUCache<string, Made>({
    max: entries,
    maxSize: bytes,
    sizeCalculation: (made, { length: text }) =>
      'refused' in made ? refusedBytes(made, text) : linkedPlanBytes(made.linked.plan, { text, check }),
  });
  let compiler: CompileCaller | undefined;

  /** A caller's config can fail to link only because of a saved value, which only the operator can correct. */
  const linked = (plan: RoutingPlan): LinkedPlan => {
    try {
      return link(plan);
    } catch (cause) {
      if (!(cause instanceof LinkError)) throw cause;
      throw new GatewayError(errorReport('saved-not-usable', {}), { cause });
    }
  };

  const keep = (key: string, { plan, secrets, diagnostics }: CompileResult): Made => {
    const made = plan === undefined ? { refused: diagnostics } : toServedPlan(linked(plan), secrets);
    known.set(key, made);
    return made;
  };

  const take = (key: string, result: CompileResult): Made | Promise<Made> => {
    const finish = (held: boolean): Made => {
      if (held) throw gatewayError('service-key-in-config', {});
      return keep(key, result);
    };
    const held = holdsServiceKey(result.secrets, identify);
    return held instanceof Promise ? held.then(finish) : finish(held);
  };

  const make = ({ key, text, member }: Ask, compile: CompileCaller): Made | Promise<Made> => {
    const config = wireText(text);
    const compiled = compile(member === undefined ? config : withSaved(config, member));
    return compiled instanceof Promise
      ? compiled.then((result) => known.get(key) ?? take(key, result))
      : take(key, compiled);
  };

  const loadAndMake = async (ask: Ask): Promise<Made> => {
    compiler = await load();
    return known.get(ask.key) ?? make(ask, compiler);
  };

  // One config is often requested repeatedly, and comparing its text costs less than hashing it.
  let lastKey: string | undefined;
  let last: Made | undefined;

  return {
    get: (text, member) => {
      // Headers contain no line breaks, so these keys cannot collide.
      const key = member === undefined ? text : `${member.name} ${member.value}\n${text}`;
      if (key === lastKey && last !== undefined) return last;
      const ask = { key, text, member };
      const found = known.get(key) ?? (compiler === undefined ? undefined : make(ask, compiler));
      if (found === undefined) return loadAndMake(ask);
      if (found instanceof Promise) return found;
      lastKey = key;
      last = found;
      return found;
    },
  };
};
