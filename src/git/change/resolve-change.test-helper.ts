import { type ScratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import type { ChangeInput, ChangeRequest } from './change-input.ts';
import { resolveChange } from './resolve-change.ts';

export function take(repository: ScratchRepository, request: ChangeRequest): Promise<ChangeInput> {
  return resolveChange(request, { cwd: repository.root, env: repository.env });
}

export const topicDiff = `diff --git a/a.txt b/a.txt
index 814f4a422927b82f5f8a43f8fab6d3839e3983f2..879de50b9a967adae6ab5fe536d4ef6e0af21bb1 100644
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,2 @@
 one
-two
+TWO
`;

export function changedLines({ diffText }: ChangeInput): readonly string[] {
  return diffText.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line));
}
