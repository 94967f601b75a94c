/** The process of an isolated plugin: loads it, and runs its checks for the gateway that started the process. */
import { Socket } from 'node:net';
import { errorText, toError } from '../../../../schema/text/error-text.ts';
import { loadFile } from '../../loading/load-file.ts';
import type { PluginEntry } from '../../loading/plugin-entry.ts';
import type { ChildMessage, HostMessage } from '../protocol/protocol.ts';
import { ignoreSignals } from '../spawning/ignore-signals.ts';
import { createLineChannel } from '../spawning/line-channel.ts';
import { ChildChecks } from './child-checks.ts';
import { describePlugin } from './describe-plugin.ts';
import { holdProcess } from './hold-process.ts';
import { HttpRequests } from './http-requests.ts';

const stream = new Socket({ fd: 3 });
holdProcess();
ignoreSignals();

let checks: ChildChecks | undefined;

const load = async (entry: PluginEntry, file: string): Promise<void> => {
  const loaded = await loadFile(entry, file);
  if ('problems' in loaded) {
    send({ kind: 'refused', problems: loaded.problems });
    return;
  }
  checks = new ChildChecks(loaded.plugin.guardrails ?? [], { requests, send });
  send({ kind: 'loaded', plugin: describePlugin(loaded.exported) });
};

const answer = ({ id, ...question }: Extract<HostMessage, { kind: 'ask' }>): void => {
  send({ kind: 'asked', id });
  try {
    send({ kind: 'described', id, answered: checks?.describe(question) ?? { faults: [] } });
  } catch (error) {
    send({ kind: 'described', id, answered: { faults: [errorText(error)] } });
  }
};

const receive = (message: HostMessage): void => {
  switch (message.kind) {
    case 'load':
      void load(message.entry, message.file);
      break;
    case 'environment':
      Object.assign(process.env, message.values);
      break;
    case 'ask':
      answer(message);
      break;
    case 'run':
      checks?.run(message);
      break;
    case 'cancel':
      checks?.cancel(message.id);
      break;
    case 'answer':
      requests.answer(message.id, message.answer);
      break;
    case 'no-answer':
      requests.fail(message.id, message.message);
      break;
  }
};

const channel = createLineChannel({
  longestLine: () => Number.POSITIVE_INFINITY,
  // The gateway writes only its own messages.
  receive: (message) => receive(message as HostMessage),
  broken: () => process.exit(1),
});
const send = (message: ChildMessage): void => void channel.send(message);
const requests = new HttpRequests(send);
channel.attach(stream);

// Without the gateway, there is no work to do.
stream.on('close', () => process.exit(0));
// An unhandled rejection is harmless. An error thrown outside of a call ends the process, which is Node's default.
process.on('unhandledRejection', (reason) => {
  const { stack, message } = toError(reason);
  process.stderr.write(`The rejection of a promise was not handled: ${stack ?? message}\n`);
});
