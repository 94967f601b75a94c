import type { InputProblem } from '../../../schema/input-problem.ts';
import { invalidInput } from '../../../schema/invalid-input.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { textOf } from '../../../schema/loose.ts';
import { toPointer } from '../../../schema/pointer.ts';
import type { TenantId } from '../../sdk/exchange.ts';
import type { Files } from '../files/files.ts';
import { isOwnFile } from '../files/is-own-file.ts';
import type { RemoteIds } from '../remote-ids/remote-ids.ts';
import type { TuningCaller } from './tuning-caller.ts';

const members = ['training_file', 'validation_file'] as const;
type FileMember = (typeof members)[number];

/** The files of jobs: those of the gateway, and what stands for them in the accounts of providers. */
export interface JobFiles {
  /** The name that the account has for a file that a body names. Throws the `GatewayError` `invalid-input`. */
  toAccount(caller: TuningCaller, member: FileMember, name: string): Promise<string>;
  /** A job with the gateway's ids of its files. */
  fromAccount(tenant: TenantId, job: JsonObject): Promise<JsonObject>;
}

interface JobFilesParts {
  readonly files: Pick<Files, 'find' | 'read'>;
  readonly remoteIds: RemoteIds;
}

const invalid = (member: FileMember, problem: Pick<InputProblem, 'message' | 'hint'>) =>
  invalidInput([{ pointer: toPointer([member]), ...problem }]);

const unknownFile = (member: FileMember, name: string) =>
  invalid(member, {
    message: `There is no file "${name.slice(0, 255)}" of this workspace.`,
    hint: 'Upload it with POST /files, and name the id in the answer.',
  });

/** Where a workspace has asked for a copy of a file that is being made, it waits for that one. */
export const createJobFiles = ({ files, remoteIds }: JobFilesParts): JobFiles => {
  const copying = new Map<string, Promise<string>>();

  const copied = async (caller: TuningCaller, member: FileMember, id: string): Promise<string> => {
    const { tenant, keyId, account, executor } = caller;
    const there = await remoteIds.standIn(tenant, { kind: 'file', slug: account.slug, uses: id });
    if (there !== undefined) return there.id;
    const found = await files.find(tenant, id);
    if (found === undefined) throw unknownFile(member, id);
    const { upload } = executor;
    if (upload === undefined)
      throw invalid(member, {
        message: `The gateway cannot copy its files to ${account.provider}.`,
        hint: "Put the file into the storage of that cloud, and name its address, such as 's3://bucket/key'.",
      });
    const { filename, bytes } = found;
    const remote = await upload({ filename, bytes, read: () => files.read(tenant, id) }, account);
    const createdBy = keyId === undefined ? {} : { createdBy: keyId };
    await remoteIds.record(tenant, { kind: 'file', id: remote, slug: account.slug, uses: id, ...createdBy });
    return remote;
  };

  const copy = (caller: TuningCaller, member: FileMember, id: string): Promise<string> => {
    const key = JSON.stringify([caller.tenant, caller.account.slug, id]);
    const running = copying.get(key) ?? copied(caller, member, id).finally(() => copying.delete(key));
    copying.set(key, running);
    return running;
  };

  return {
    async toAccount(caller, member, name) {
      if (isOwnFile(name)) return copy(caller, member, name);
      if (!caller.executor.isFileId(name)) return name;
      if ((await remoteIds.find(caller.tenant, 'file', name)) === undefined) throw unknownFile(member, name);
      return name;
    },
    async fromAccount(tenant, job) {
      const own = async (member: FileMember): Promise<JsonObject> => {
        const name = textOf(job[member]);
        const uses = name === undefined ? undefined : (await remoteIds.find(tenant, 'file', name))?.uses;
        return uses === undefined ? {} : { [member]: uses };
      };
      return Object.assign({ ...job }, ...(await Promise.all(members.map(own))));
    },
  };
};
