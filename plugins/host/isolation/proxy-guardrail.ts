import type { JsonObject } from '../../../schema/json/json.ts';
import type { Check, CheckServices, Guardrail } from '../../sdk/guardrail/guardrail.ts';
import {
  type DescribedGuardrail,
  type DescribedParameters,
  type DescribingMember,
  describingMembers,
  type Question,
} from './protocol/protocol.ts';

/** The plugin of a proxy, as the version in service has it. */
export interface ProxyOwner {
  /** The check as the version in service describes it. */
  described(id: string): DescribedGuardrail | undefined;
  /** Finds the process's description; asked for if it is not known. */
  describedParameters(question: Question): DescribedParameters | undefined;
  /** Finds the process's description, if it is known. */
  known(question: Question): DescribedParameters | undefined;
  link(check: string, parameters: JsonObject, services: CheckServices): Check;
}

/** The description that is assumed of a check that has not answered: the strictest. */
const unknown: DescribedParameters = { faults: [], rewrites: true, retries: true };

/** All members that a check may have: one that is not passed on here would be missed in isolated plugins alone. */
type WholeGuardrail = Required<Omit<Guardrail, 'load'>>;

/**
 * A check of an isolated plugin, as the gateway sees it. What it says of its parameters is what its process said, as far as
 * that has answered.
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
    // That one of the others throws is an error, too.
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
