import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { ownModule } from '../../../sdk/loading/own-module.ts';
import type { SpawnedProcess, Spawner, SpawnRequest } from '../spawning/spawner.ts';
import type { LaunchNews, LaunchRequest } from './messages.ts';

interface Launched extends SpawnRequest {
  readonly streams: Partial<Record<keyof SpawnedProcess, Socket>>;
  pid?: number;
}

const main = fileURLToPath(ownModule('plugins/host/isolation/launcher/main'));

const killed = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
};

/** The small process that starts others, and the processes it started, by number. */
class Launcher {
  readonly #process: ChildProcess;
  readonly #launched = new Map<number, Launched>();
  #last = 0;
  /** Whether it can start no more processes. */
  hasEnded = false;

  constructor() {
    this.#process = fork(main, {
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#process.on('message', (news: LaunchNews, socket) =>
      this.#receive(news, socket instanceof Socket ? socket : undefined),
    );
    this.#process.once('error', (error) => this.#end(`it cannot be started: ${error.message}`));
    this.#process.once('exit', () => this.#end('the process that had started it ended'));
    this.#process.unref();
    this.#process.channel?.unref();
  }

  readonly spawn: Spawner = (request) => {
    this.#last += 1;
    const id = this.#last;
    const { args, environment } = request;
    this.#launched.set(id, { ...request, streams: {} });
    this.#send({ kind: 'start', id, args, environment });
    return () => this.#send({ kind: 'kill', id });
  };

  #send(request: LaunchRequest): void {
    // If the request cannot be sent, the process has ended, which is reported separately.
    this.#process.send(request, () => {});
  }

  #receive(news: LaunchNews, socket: Socket | undefined): void {
    const launched = this.#launched.get(news.id);
    if (launched === undefined) return;
    switch (news.kind) {
      case 'stream':
        // Processes that work for a gateway must not keep it running.
        if (socket !== undefined) launched.streams[news.name] = socket.on('error', () => {}).unref();
        break;
      case 'started': {
        const { stdout, stderr, wire } = launched.streams;
        launched.pid = news.pid;
        if (stdout && stderr && wire) launched.started({ pid: news.pid, stdout, stderr, wire });
        else this.#send({ kind: 'kill', id: news.id });
        break;
      }
      case 'ended':
        this.#launched.delete(news.id);
        launched.ended(news.why);
        break;
    }
  }

  #end(why: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    for (const { pid, ended } of this.#launched.values()) {
      if (pid !== undefined) killed(pid);
      ended(why);
    }
    this.#launched.clear();
  }
}

/**
 * Creates a launcher that starts processes from a small process, so that this one never pauses, however much memory it has. The
 * small process is started with the first request, and again if it ends. All processes end when this one does, in whatever way it
 * ends.
 */
export const createLauncher = (): Spawner => {
  let launcher: Launcher | undefined;
  return (request) => {
    if (launcher === undefined || launcher.hasEnded) launcher = new Launcher();
    return launcher.spawn(request);
  };
};
