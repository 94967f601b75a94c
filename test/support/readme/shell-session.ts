import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { errorText } from '../../../schema/text/error-text.ts';
import { runCommand } from '../commands/run-command.ts';
import type { CommandLine } from './command-lines.ts';
import type { ExamplePlace } from './example-folder.ts';
import { EndedEarly, type Serving, serveLine } from './serve-line.ts';

/** The port in the documents. A server uses another free port, and the commands after it call that one. */
const writtenPort = '8787';

/** Whether a command starts a gateway. */
export const isServer = (text: string): boolean => /\bgw serve\b/.test(text);

/** A shell session: the output of its commands, the variables that it exported, and its running servers. */
export class ShellSession {
  readonly #cwd: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #servers: { readonly line: CommandLine; readonly serving: Serving }[] = [];
  /** A sentence about each failed command. */
  readonly problems: string[] = [];
  output = '';

  constructor({ path: folder, env }: ExamplePlace) {
    this.#cwd = folder;
    this.#env = { ...env, PORT: '0' };
  }

  /**
   * Runs the commands of a block one after another. A server keeps running until another one starts or the session ends. For
   * commands that call `$GATEWAY`, a gateway is started.
   */
  async runAll(lines: readonly CommandLine[]): Promise<void> {
    const caller = lines.find(({ text }) => text.includes('$GATEWAY'));
    if (caller !== undefined && !lines.some(({ text }) => isServer(text))) {
      await this.end();
      await this.serve({ text: 'gw serve', line: caller.line });
    }
    for (const line of lines) {
      if (isServer(line.text)) await this.end();
      await this.run(line);
    }
  }

  async run(line: CommandLine): Promise<void> {
    const [, name, value] = /^export (\w+)=(\S*)$/.exec(line.text) ?? [];
    const [, loaded] = /^set -a; \. (\S+); set \+a$/.exec(line.text) ?? [];
    if (loaded !== undefined) Object.assign(this.#env, parseEnv(readFileSync(path.join(this.#cwd, loaded), 'utf8')));
    else if (name !== undefined) this.#env[name] = this.#expanded(value ?? '');
    else if (isServer(line.text)) await this.serve(line);
    else await this.#command(line);
  }

  /** Expands variables as a shell does, and inserts the port of the running server. */
  #expanded(text: string): string {
    return this.#withPort(text).replaceAll(/\$(\w+)/g, (_, name: string) => this.#env[name] ?? '');
  }

  #withPort(text: string): string {
    return text.replaceAll(writtenPort, this.#servers.at(-1)?.serving.port ?? writtenPort);
  }

  async serve(line: CommandLine): Promise<void> {
    try {
      const serving = await serveLine(`${line.text.replace(writtenPort, '0').replace(/ &$/, '')} --drain-delay-ms 0`, {
        cwd: this.#cwd,
        env: this.#env,
      });
      this.#servers.push({ line, serving });
      this.#env.GATEWAY = `http://127.0.0.1:${serving.port}`;
    } catch (error) {
      if (error instanceof EndedEarly) this.output += error.output;
      this.#fault(line, errorText(error));
    }
  }

  /** Stops the session's servers. */
  async end(): Promise<void> {
    for (const { line, serving } of this.#servers.splice(0)) {
      const { status, output } = await serving.stop();
      if (status !== 0) this.#fault(line, `It ended with ${status} after it was asked to stop:\n${output}`);
    }
  }

  async #command(line: CommandLine): Promise<void> {
    const text = this.#withPort(line.text).replaceAll('$!', String(this.#servers.at(-1)?.serving.pid ?? '$!'));
    const { status, stdout, stderr } = await runCommand(['sh', '-c', text], { cwd: this.#cwd, env: this.#env });
    this.output += stdout + stderr;
    if (status !== 0) this.#fault(line, `It ended with ${status}:\n${stdout}${stderr}`);
    if (/^kill .*\bgateway\.pid\b/.test(text)) await this.#killed(line);
  }

  /** Waits until the server has ended, because a second signal would interrupt what the first one lets finish. */
  async #killed(line: CommandLine): Promise<void> {
    const ended = this.#servers.at(-1)?.serving.ended.then(() => true);
    if (!(await Promise.race([ended, delay(20_000, false, { ref: false })]))) this.#fault(line, 'The gateway goes on.');
  }

  #fault({ text, line }: CommandLine, message: string): void {
    this.problems.push(`line ${line}: ${text}\n${message}`);
  }
}
