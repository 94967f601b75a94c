import type { CheckCall } from '../../../schema/plan/plan.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import type { Plugin } from '../../sdk/plugin/plugin.ts';
import { type PluginEntry, type Refused, refused } from '../loading/plugin-entry.ts';
import { IsolatedChecks } from './isolated-checks.ts';
import type { IsolationLink, OwnedParameters, OwnedVersion } from './messages.ts';
import { OwnedCalls } from './owned-calls.ts';
import { systemTimers } from './spawning/system-timers.ts';

/** Longer than it takes to restart a process and get an answer. */
const askMs = 60_000;

/** All plugins of a worker share one list of calls. */
const calls = new WeakMap<IsolationLink, OwnedCalls>();

const callsOf = (link: IsolationLink): OwnedCalls => {
  const known = calls.get(link) ?? new OwnedCalls(link);
  calls.set(link, known);
  return known;
};

/**
 * An isolated plugin in a worker. Its processes belong to the process that owns the worker, which also puts versions into
 * service.
 */
export class OwnedPlugin {
  readonly #plugin: string;
  readonly #link: IsolationLink;
  readonly #checks: IsolatedChecks;
  #version: OwnedVersion;

  private constructor({ package: plugin, pointer }: PluginEntry, link: IsolationLink, version: OwnedVersion) {
    this.#plugin = pointer;
    this.#link = link;
    this.#version = version;
    const running = callsOf(link);
    this.#checks = new IsolatedChecks({
      ...{ plugin, timers: systemTimers },
      version: () => this.#version,
      ask: async (question) =>
        (await link
          .ask({ of: 'parameters', plugin: pointer, question }, askMs)
          .catch(() => undefined)) as OwnedParameters,
      link: () => {
        const linked = this.#version.version;
        return (call) => running.run(pointer, linked, call);
      },
      close: () => {},
    });
  }

  /** Asks the owner for the plugin of an entry. Never throws. */
  static async load(entry: PluginEntry, link: IsolationLink): Promise<OwnedPlugin | Refused> {
    try {
      return new OwnedPlugin(entry, link, await OwnedPlugin.#read(entry.pointer, link));
    } catch (error) {
      return refused(
        {
          code: 'plugin-failed',
          message: `The process that runs the plugin "${entry.package}" for all workers does not answer: ${errorText(error)}`,
          hint: 'Restart the gateway.',
        },
        entry,
      );
    }
  }

  static async #read(plugin: string, link: IsolationLink): Promise<OwnedVersion> {
    return (await link.ask({ of: 'version', plugin }, askMs)) as OwnedVersion;
  }

  get name(): string {
    return this.#checks.name;
  }

  get plugin(): Plugin {
    return this.#checks.plugin;
  }

  /** The owner reports why the version on disk is not in service. */
  get problem(): undefined {
    return undefined;
  }

  begin(): void {
    this.#checks.begin();
  }

  settle(): Promise<boolean> {
    return this.#checks.settle();
  }

  prepare(call: CheckCall): void {
    this.#checks.prepare(call);
  }

  /** Switches to the version that the owner has in service or on trial. Returns whether it is another one. */
  async refresh(): Promise<boolean> {
    const before = this.#version;
    this.#version = await OwnedPlugin.#read(this.#plugin, this.#link);
    const isOther = this.#version.integrity !== before.integrity;
    if (isOther) this.#checks.clear();
    return isOther;
  }

  /** The owner decides. */
  confirm(): void {}

  /** The owner decides. */
  revert(): void {}

  /** The processes belong to the owner. */
  close(): void {}
}
