import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { suggestName } from '../../../schema/text/closest-name.ts';
import { type UpstreamFault, type UpstreamStep, upstreamFaults } from '../../../schema/trail/request-script.ts';
import { UsageError } from '../command-line/usage-error.ts';

const stepMembers = ['target', 'status', 'headers', 'body', 'stream', 'error'];

/** Reads the members of one request file. Every mistake is a `UsageError` that names the file and the member. */
export class RequestReader {
  readonly #file: string;
  readonly #targets: readonly string[];

  constructor(file: string, plan: RoutingPlan) {
    this.#file = file;
    this.#targets = plan.targets.map(({ id }) => id);
  }

  refuse(member: string, what: string, hint = 'See gw explain --help.'): never {
    throw new UsageError(`In ${this.#file}, ${member} ${what}.`, hint);
  }

  known(value: JsonObject, names: readonly string[], where: string): void {
    for (const name of Object.keys(value)) {
      if (names.includes(name)) continue;
      this.refuse(
        `${where}${name}`,
        'is not a member that is read',
        suggestName(name, names, `Members are ${names.join(', ')}.`),
      );
    }
  }

  text(value: Json | undefined, member: string): string | undefined {
    if (value !== undefined && typeof value !== 'string') this.refuse(member, 'must be a text');
    return value;
  }

  whole(value: Json | undefined, member: string): number | undefined {
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
      return this.refuse(member, 'must be a whole number of at least 0');
    return value;
  }

  object(value: Json | undefined, member: string): JsonObject | undefined {
    if (value !== undefined && !isJsonObject(value)) this.refuse(member, 'must be an object');
    return value;
  }

  headers(value: Json | undefined, member: string): { readonly [name: string]: string } {
    const entries = Object.entries(this.object(value, member) ?? {});
    return Object.fromEntries(entries.map(([name, text]) => [name, this.text(text, `${member}.${name}`) ?? '']));
  }

  steps(value: Json | undefined): readonly UpstreamStep[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) return this.refuse('upstream', 'must be a list');
    return value.map((step, index) => this.#step(step, `upstream[${index}]`));
  }

  #step(value: Json, where: string): UpstreamStep {
    const step = this.object(value, where) ?? {};
    this.known(step, stepMembers, `${where}.`);
    const target = this.text(step.target, `${where}.target`);
    if (target !== undefined && !this.#targets.includes(target)) this.#unknownTarget(target, where);
    const status = this.whole(step.status, `${where}.status`);
    if (status !== undefined && (status < 200 || status > 599))
      this.refuse(`${where}.status`, 'must be a status from 200 to 599');
    const error = this.#fault(step.error, `${where}.error`);
    if (step.stream !== undefined && typeof step.stream !== 'boolean')
      this.refuse(`${where}.stream`, 'must be true or false');
    return {
      ...(target === undefined ? {} : { target }),
      ...(status === undefined ? {} : { status }),
      headers: this.headers(step.headers, `${where}.headers`),
      ...(step.body === undefined ? {} : { body: step.body }),
      ...(step.stream === undefined ? {} : { stream: step.stream }),
      ...(error === undefined ? {} : { error }),
    };
  }

  #unknownTarget(target: string, where: string): never {
    return this.refuse(
      `${where}.target`,
      `is "${target}", and the plan has no such target`,
      suggestName(target, this.#targets, `Its targets are ${this.#targets.join(', ')}.`),
    );
  }

  #fault(value: Json | undefined, member: string): UpstreamFault | undefined {
    const error = upstreamFaults.find((known) => known === value);
    if (value !== undefined && error === undefined) this.refuse(member, `must be one of ${upstreamFaults.join(', ')}`);
    return error;
  }
}
