import { folderFailure, ServeFailure } from '../../../../runtime/cli/settings/serve-failure.ts';
import { planFileName } from '../../../../schema/plan/plan-file-name.ts';
import { type Check, type Finding, splitAdvice } from '../../set-up/finding.ts';
import { plansFolderOf } from '../../set-up/read-own-plans.ts';
import { type OwnFile, type SetUp, shownFile } from '../../set-up/set-up.ts';
import { foundInFile, toFinding } from './gateway-file.ts';

const toFindings = (setUp: SetUp, { file, diagnostics, unreadable }: OwnFile): readonly Finding[] => {
  const subject = shownFile(setUp, file);
  if (unreadable !== undefined) return [{ severity: 'error', subject, ...splitAdvice(unreadable) }];
  return foundInFile(setUp, diagnostics, subject);
};

const unknownNames = async (setUp: SetUp, files: readonly OwnFile[]): Promise<readonly Finding[]> => {
  const { environment, file = '' } = setUp;
  const names = files.flatMap(({ plan }) => (plan === undefined ? [] : [planFileName(plan.name)]));
  // A config with errors would be reported as missing too, and its errors are reported already.
  if (files.some(({ plan }) => plan === undefined)) return [];
  return ((await environment.unknownConfigs?.(names)) ?? []).map((each) => toFinding(each, shownFile(setUp, file)));
};

export const configs: Check = {
  id: 'configs',
  description:
    'the configs, or the compiled plans of `--plans`: whether they compile, and whether the gateway file names configs that do not exist',
  async run(setUp) {
    const { options } = setUp;
    try {
      const { files } = await setUp.plans();
      return [...files.flatMap((each) => toFindings(setUp, each)), ...(await unknownNames(setUp, files))];
    } catch (error) {
      const folder = plansFolderOf(setUp) ?? '';
      const named = options.plans === undefined ? '"configs" in the gateway file' : '--plans';
      const failure = error instanceof ServeFailure ? error : folderFailure(error, folder, named);
      return [{ severity: 'error', subject: shownFile(setUp, folder), ...splitAdvice(failure.message) }];
    }
  },
};
