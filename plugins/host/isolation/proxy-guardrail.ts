import type { JsonObject } from '../../../schema/json/json.ts';
import type { Check, CheckServices, Guardrail } from '../../sdk/guardrail/guardrail.ts';
import {
  type DescribedGuardrail,
  type Question,
  type TellingMember,
  type ToldParameters,
  tellingMembers,
} from './protocol/protocol.ts';

/** The plugin of a proxy, as the version in service has it. */
export interface ProxyOwner {
  /** The check as the version in service describes it. */
  described(id: string): DescribedGuardrail | undefined;
  /** What the process said; asked for if it is not known. */
  told(question: Question): ToldParameters | undefined;
  /** What the process said, if it is known. */
  known(question: Question): ToldParameters | undefined;
  link(check: string, parameters: JsonObject, services: CheckServices): Check;
}

/** What is assumed of a check that has not answered: the strictest. */
const unknown: ToldParameters = { faults: [], rewrites: true, retries: true };

/**
 * A check of an isolated plugin, as the gateway sees it. What it says of its parameters is what its process said, as far as
 * that has answered.
 */
export const proxyGuardrail = ({ id, aliases = [] }: DescribedGuardrail, owner: ProxyOwner): Guardrail => {
  const told = (parameters: JsonObject): ToldParameters =>
    owner.told({ about: 'declaration', check: id, parameters }) ?? unknown;
  const tells = (member: TellingMember): boolean => owner.described(id)?.tells.includes(member) === true;
  return {
    id,
    aliases,
    get phases() {
      return owner.described(id)?.phases ?? ['input', 'output'];
    },
    get parameters() {
      return owner.described(id)?.parameters ?? { type: 'object' };
    },
    // That one of the others throws is a fault, too.
    faults: (parameters) => (tellingMembers.some(tells) ? told(parameters).faults : []),
    parts: (parameters) => (tells('parts') ? told(parameters).parts : undefined),
    rewrites: (parameters) => tells('rewrites') && told(parameters).rewrites === true,
    retries: (parameters) => tells('retries') && told(parameters).retries === true,
    timeoutMs: (parameters) => (tells('timeoutMs') ? told(parameters).timeoutMs : undefined),
    create(parameters, services) {
      const [fault] = owner.known({ about: 'creation', check: id, parameters })?.faults ?? [];
      if (fault !== undefined) throw new Error(fault);
      return owner.link(id, parameters, services);
    },
  };
};
