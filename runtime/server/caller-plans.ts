import { LRUCache } from 'lru-cache';
import type { Diagnostic } from '../../schema/diagnostic.ts';
import type { CompileResult, RoutingPlan } from '../../schema/plan.ts';
import type { LinkedPlan } from '../link/link.ts';
import { type ServedPlan, toServedPlan } from './served-plan.ts';
import { wireText } from './wire-text.ts';

/** A caller's config that the compiler did not accept. */
export interface RefusedPlan {
  readonly refused: readonly Diagnostic[];
}

/** The compiler for what callers bring. */
export type CompileCaller = (text: string) => CompileResult;

export interface CallerPlansOptions {
  /** Loads the compiler, on first need. */
  readonly load: () => Promise<CompileCaller>;
  readonly link: (plan: RoutingPlan) => LinkedPlan;
  /** Configs that are kept, refused ones too. */
  readonly entries?: number;
  /** Characters of all their texts together. */
  readonly characters?: number;
}

/** Configs of callers, each compiled and linked once while it is remembered. */
export interface CallerPlans {
  /** `text` is the header's, or JSON of ours. At once where it is known or the compiler is loaded. */
  get(text: string): ServedPlan | RefusedPlan | Promise<ServedPlan | RefusedPlan>;
}

export const createCallerPlans = ({
  load,
  link,
  entries = 1000,
  characters = 4 * 1024 * 1024,
}: CallerPlansOptions): CallerPlans => {
  const known = new LRUCache<string, ServedPlan | RefusedPlan>({
    max: entries,
    maxSize: characters,
    sizeCalculation: (_plan, text) => text.length + 1,
  });
  let compiler: CompileCaller | undefined;

  const make = (text: string, compile: CompileCaller): ServedPlan | RefusedPlan => {
    const { plan, secrets, diagnostics } = compile(wireText(text));
    const made = plan === undefined ? { refused: diagnostics } : toServedPlan(link(plan), secrets);
    known.set(text, made);
    return made;
  };

  const loadAndMake = async (text: string): Promise<ServedPlan | RefusedPlan> => {
    compiler = await load();
    return known.get(text) ?? make(text, compiler);
  };

  // One config is asked for again and again: comparing its text costs less than hashing it.
  let lastText: string | undefined;
  let last: ServedPlan | RefusedPlan | undefined;

  const find = (text: string): ServedPlan | RefusedPlan | undefined => {
    if (text === lastText) return last;
    const found = known.get(text) ?? (compiler === undefined ? undefined : make(text, compiler));
    if (found === undefined) return undefined;
    lastText = text;
    last = found;
    return found;
  };

  return { get: (text) => find(text) ?? loadAndMake(text) };
};
