import type { ContentHash } from '../../../schema/json/canonical.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { CheckCall } from '../../../schema/plan/plan.ts';
import type { Check, CheckServices } from '../../sdk/guardrail/guardrail.ts';
import { findUnrecordedParts } from '../../sdk/guardrail/unrecorded-parts.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import { type Plugin, type PluginPermissions, pluginApi } from '../../sdk/plugin/plugin.ts';
import type { RunCheck } from './calls.ts';
import { type AskAbout, DescribedAnswers } from './described-answers.ts';
import { plainInput } from './protocol/plain-input.ts';
import type { DescribedGuardrail, DescribedPlugin, RunMembers } from './protocol/protocol.ts';
import { proxyGuardrail } from './proxy-guardrail.ts';

/** How long to wait for a check if its caller does not specify it. */
const defaultWithinMs = 5000;

/** A version of a plugin, as the gateway sees it. */
export interface VersionFacts {
  readonly described: Pick<DescribedPlugin, 'name' | 'guardrails'>;
  readonly permissions: Required<PluginPermissions>;
  readonly integrity: ContentHash;
}

export interface IsolatedChecksOptions {
  /** The plugin, as named in the gateway file. */
  readonly plugin: string;
  readonly timers: Timers;
  /** Returns the version in service. */
  readonly version: () => VersionFacts;
  /** Asks a process of that version. */
  readonly ask: AskAbout;
  /** Returns the function that runs the checks of the plan that is being linked. */
  readonly link: () => RunCheck;
  readonly close: () => void;
}

/** The checks of a plugin that run in separate processes, as the compiler and the linker see them. */
export class IsolatedChecks {
  readonly #options: IsolatedChecksOptions;
  readonly #answers: DescribedAnswers;

  constructor(options: IsolatedChecksOptions) {
    this.#options = options;
    this.#answers = new DescribedAnswers(options.timers, options.ask);
  }

  get name(): string {
    return this.#options.version().described.name;
  }

  get plugin(): Plugin {
    const { version, close } = this.#options;
    const { described, permissions } = version();
    return {
      name: this.name,
      api: pluginApi,
      permissions,
      integrity: () => version().integrity,
      guardrails: described.guardrails.map((guardrail) =>
        proxyGuardrail(guardrail, {
          described: (id) => this.#described(id),
          describedParameters: (question) => this.#answers.get(question),
          known: (question) => this.#answers.known(question),
          link: (...linked) => this.#link(...linked),
        }),
      ),
      apply: (hooks) => hooks.close.tapPromise(this.name, async () => close()),
    };
  }

  /** Starts a round: `settle` waits for what the compiler asks from now on. */
  begin(): void {
    this.#answers.begin();
  }

  /** Waits for what the compiler asked. Returns whether anything was answered, so that the compiler should ask again. */
  settle(): Promise<boolean> {
    return this.#answers.settle();
  }

  /** Asks for what is needed to link the call, if the check is one of these. */
  prepare({ check, parameters, secrets }: CheckCall): void {
    if (this.#described(check) === undefined) return;
    this.#answers.get({ about: 'declaration', check, parameters });
    // Without its secrets, it might not be possible to create the check. With them, it is created when it first runs.
    if (secrets === undefined) this.#answers.get({ about: 'creation', check, parameters });
  }

  /** Forgets all answers, because another version may answer differently. */
  clear(): void {
    this.#answers.clear();
  }

  #described(check: string): DescribedGuardrail | undefined {
    return this.#options.version().described.guardrails.find(({ id }) => id === check);
  }

  #link(check: string, parameters: JsonObject, services: CheckServices): Check {
    const { plugin, link } = this.#options;
    const run = link();
    return async (input, withinMs = defaultWithinMs) => {
      const { tenant, cancellation } = input;
      const key = [0, 1, 2, 3].map((part) => services.placeholder(tenant, { kind: 'KEY', text: `${plugin} ${part}` }));
      const members: RunMembers = {
        ...{ check, parameters, withinMs },
        input: plainInput(input),
        placeholderKey: key.join(''),
      };
      return run({
        ...{ check, withinMs, tenant, cancellation },
        http: services.http,
        recordTargetRead: () => findUnrecordedParts(input)?.readsTarget(),
        members: JSON.stringify(members),
      });
    };
  }
}
