import path from 'node:path';
import { type ModuleDeclaration, Project, type SourceFile, type Type } from 'ts-morph';

const project = new Project({
  compilerOptions: { strict: true, skipLibCheck: true, module: 99, moduleResolution: 100 },
});

/**
 * A type that a package declares.
 *
 * @param file of declarations, in `node_modules`
 * @param name behind those of the namespaces that it is in: `Message.Raw`
 */
export const declaredType = (file: string, name: string): Type => {
  const source = project.addSourceFileAtPath(path.join('node_modules', file));
  const [member = '', ...namespaces] = name.split('.').toReversed();
  const holder = namespaces.reduceRight<ModuleDeclaration | SourceFile | undefined>(
    (outer, each) => outer?.getModule(each),
    source,
  );
  const declared = holder?.getInterface(member) ?? holder?.getTypeAlias(member) ?? holder?.getClass(member);
  if (declared === undefined) throw new Error(`${file} declares no ${name}.`);
  return declared.getType();
};
