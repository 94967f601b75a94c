import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { invalidInput } from '../../../../schema/errors/invalid-input.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Account } from '../accounts/account.ts';
import type { FileCopies } from '../accounts/file-copies.ts';
import { isOwnFile } from '../files/is-own-file.ts';
import type { AccountIds } from '../remote-ids/account-ids.ts';
import type { TuningExecutor } from './executors/executor.ts';

/** Who asks for fine-tuning, and at which account. */
export interface TuningCaller {
  readonly tenant: TenantId;
  /** Absent for callers without a key of the store. */
  readonly keyId: string | undefined;
  readonly account: Account;
  readonly executor: TuningExecutor;
}

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
  readonly copies: FileCopies;
  readonly accountIds: AccountIds;
}

const invalid = (member: FileMember, problem: Pick<InputProblem, 'message' | 'hint'>) =>
  invalidInput([{ pointer: toPointer([member]), ...problem }]);

const unknownFile = (member: FileMember, name: string) =>
  invalid(member, {
    message: `There is no file "${name.slice(0, 255)}" of this workspace.`,
    hint: 'Upload it with POST /files, and name the id in the answer.',
  });

export const createJobFiles = ({ copies, accountIds }: JobFilesParts): JobFiles => {
  const copy = async (caller: TuningCaller, member: FileMember, id: string): Promise<string> => {
    const { tenant, keyId: createdBy, account, executor } = caller;
    const { upload } = executor;
    if (upload === undefined)
      throw invalid(member, {
        message: `The gateway cannot copy its files to ${account.provider}.`,
        hint: "Put the file into the storage of that cloud, and name its address, such as 's3://bucket/key'.",
      });
    const uploaded = await copies.into({
      ...{ tenant, slug: account.slug, id, createdBy, place: executor.toPlace?.(account) },
      upload: (file) => upload(file, account),
    });
    if (uploaded === undefined) throw unknownFile(member, id);
    return uploaded;
  };

  return {
    async toAccount(caller, member, name) {
      if (isOwnFile(name)) return copy(caller, member, name);
      if (!caller.executor.isFileId(name)) return name;
      const { tenant, account } = caller;
      const whose = await accountIds.whose({ tenant, kind: 'file', account, id: name });
      if (whose === 'refused') throw unknownFile(member, name);
      return name;
    },
    async fromAccount(tenant, job) {
      const own = async (member: FileMember): Promise<JsonObject> => {
        const name = findText(job[member]);
        return name === undefined ? {} : { [member]: await copies.readOrigin(tenant, name) };
      };
      return Object.assign({ ...job }, ...(await Promise.all(members.map(own))));
    },
  };
};
