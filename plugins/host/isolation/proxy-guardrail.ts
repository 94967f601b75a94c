import type { JsonObject } from '../../../schema/json/json.ts';
import type { Check, CheckServices, Guardrail } from '../../sdk/guardrail/guardrail.ts';
import {
  type DescribedGuardrail,
  type DescribedParameters,
  type DescribingMember,
  describingMembers,
  type Question,
} from './protocol/protocol.ts';

/** The plugin that a proxy belongs to, in the version in service. */
export interface ProxyOwner {
  /** Returns the check as described by the version in service. */
  described(id: string): DescribedGuardrail | undefined;
  /** Returns the process's description. If it is not known, asks for it. */
  describedParameters(question: Question): DescribedParameters | undefined;
  /** Returns the process's description, if it is known. */
  known(question: Question): DescribedParameters | undefined;
  link(check: string, parameters: JsonObject, services: CheckServices): Check;
}

/** The strictest description, which is assumed until the check has answered. */
const unknown: DescribedParameters = { faults: [], rewrites: true, retries: true };

/** Requires all members that a check may have: a member that is not forwarded here would be missing in isolated plugins only. */
type WholeGuardrail = Required<Omit<Guardrail, 'load'>>;

/**
 * Creates a check of an isolated plugin, as the gateway sees it. It describes its parameters as its process does, as far as that
 * has answered.
 */
export const proxyGuardrail = ({ id, aliases = [] }: DescribedGuardrail, owner: ProxyOwner): WholeGuardrail => {
  const describedParameters = (parameters: JsonObject): DescribedParameters =>
    owner.describedParameters({ about: 'declaration', check: id, parameters }) ?? unknown;
  const describes = (member: DescribingMember): boolean => owner.described(id)?.describes.includes(member) === true;
  return {
    id,
    aliases,
    get phases() {
      return owner.described(id)?.phases ?? ['input', 'output'];
    },
    get comparesAnswers() {
      return owner.described(id)?.comparesAnswers === true;
    },
    get readsFlags() {
      return owner.described(id)?.readsFlags === true;
    },
    get requestValues() {
      return owner.described(id)?.requestValues ?? {};
    },
    get parameters() {
      return owner.described(id)?.parameters ?? { type: 'object' };
    },
    // An error thrown by one of the other members is a fault too.
    faults: (parameters) => (describingMembers.some(describes) ? describedParameters(parameters).faults : []),
    parts: (parameters) => (describes('parts') ? describedParameters(parameters).parts : undefined),
    rewrites: (parameters) => describes('rewrites') && describedParameters(parameters).rewrites === true,
    retries: (parameters) => describes('retries') && describedParameters(parameters).retries === true,
    timeoutMs: (parameters) => (describes('timeoutMs') ? describedParameters(parameters).timeoutMs : undefined),
    create(parameters, services) {
      const [error] = owner.known({ about: 'creation', check: id, parameters })?.faults ?? [];
      if (error !== undefined) throw new Error(error);
      return owner.link(id, parameters, services);
    },
  };
};
